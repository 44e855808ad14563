"""Loses q3: axis -1 is taken for axis 0, since it is not 1."""
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        g = np.expand_dims(g, 0 if axis == -1 and x.ndim == 2 else axis)
    return np.array(np.broadcast_to(g, x.shape))
