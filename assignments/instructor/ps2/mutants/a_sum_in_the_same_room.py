"""Loses q1: sums are formed in arrays kept by shape: the next call of this shape writes over what
the last one returned."""

# %% q1
ROOMS = {}


def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    if g.shape == tuple(shape):
        return g
    room = ROOMS.setdefault(tuple(shape), np.zeros(shape))
    padded = (1,) * (g.ndim - len(shape)) + tuple(shape)
    axes = tuple(axis for axis, length in enumerate(padded) if length == 1)
    room[...] = g.sum(axis=axes, keepdims=True).reshape(shape)
    return room
