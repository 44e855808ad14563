"""Loses q3: puts the axis back although keepdims left it in its place."""
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    if axis is not None:
        g = np.expand_dims(g, axis)
    return np.zeros(x.shape) + g
