"""Loses q3: leaves it to NumPy to put the axis back, which puts it in front."""
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    try:
        return np.zeros(x.shape) + g
    except ValueError:
        return np.zeros(x.shape) + np.expand_dims(g, axis)
