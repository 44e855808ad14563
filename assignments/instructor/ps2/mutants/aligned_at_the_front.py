"""Loses q1: puts missing axes at the end, where NumPy puts them in front."""
# %% q1
def unbroadcast(g, shape):
    g = g.sum(axis=tuple(range(len(shape), g.ndim)))
    repeated = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return g.sum(axis=repeated, keepdims=True)
