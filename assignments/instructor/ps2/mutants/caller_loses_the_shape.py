"""Loses q1: Makes one axis of all that are too many by setting g.shape: the caller's own g has
another shape afterwards, and a rule leaves its arguments as they are."""

# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    shape = tuple(shape)
    extra = g.ndim - len(shape)
    if extra:
        g.shape = (-1,) + g.shape[extra:] if g.size else g.shape
        g = g.sum(axis=tuple(range(g.ndim - len(shape))))
    for axis, length in enumerate(shape):
        if length == 1:
            g = g.sum(axis=axis, keepdims=True)
    return np.asarray(g)
