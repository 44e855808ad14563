"""Loses q1: sums axes of length 1 away instead of keeping them."""
# %% q1
def unbroadcast(g, shape):
    extra = g.ndim - len(shape)
    g = g.sum(axis=tuple(range(extra)))
    return g.sum(axis=tuple(axis for axis, length in enumerate(shape) if length == 1))
