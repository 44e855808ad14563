"""Loses q3: divides by the number of entries, as the mean's rule would."""
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return np.zeros(x.shape) + g * g.size / x.size
