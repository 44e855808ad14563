"""Loses q3: Sees at g whether the axis was kept: a length of 1 there. x of shape (3, 1) summed
over axis 0 without keepdims gives g of shape (1,), whose axis is not the one; (2, 3, 1) over
axis 1 fails."""

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    g = np.asarray(g)
    if axis is not None and not (g.ndim and 1 in g.shape):
        g = np.expand_dims(g, axis)
    return np.array(np.broadcast_to(g, x.shape))
