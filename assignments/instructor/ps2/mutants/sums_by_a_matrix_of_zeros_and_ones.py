"""Loses q1: Multiplies g by a matrix that has a 1 where an entry goes: one infinite entry of g
makes nan (0 times inf) of the sums that it has no part in."""

# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    shape = tuple(shape)
    size = int(np.prod(shape))
    came_from = np.broadcast_to(np.arange(size).reshape(shape), g.shape).ravel()
    goes = np.arange(size)[:, None] == came_from[None, :]
    return (goes.astype(float) @ np.asarray(g, float).ravel()).reshape(shape)
