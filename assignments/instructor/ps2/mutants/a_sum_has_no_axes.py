"""Loses q3: fills the result by `x_bar[:] = g`, which an x of shape () does not allow."""

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    x_bar = np.zeros(x.shape)
    x_bar[:] = g if axis is None or keepdims else np.expand_dims(g, axis)
    return x_bar
