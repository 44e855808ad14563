"""Loses q3: fills the result in the order in which x lies in memory, so a turned x gets turned
cotangents."""

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    g = np.asarray(g)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    x_bar = np.empty(x.size)
    x_bar[:] = np.broadcast_to(g, x.shape).ravel(order="F" if x.flags.f_contiguous else "C")
    return x_bar.reshape(x.shape)
