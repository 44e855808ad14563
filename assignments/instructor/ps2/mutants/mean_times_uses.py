"""Loses q1: takes the mean and multiplies by the number of uses, so an entry that was used no time
gets nan: for g of shape (0, 3) and shape (1, 3) or (3,) the right answer is zeros (the empty
sum)."""

# %% q1
import math


def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    g = np.asarray(g, float)
    if g.shape == tuple(shape):
        return g
    extra = g.ndim - len(shape)
    axes = tuple(range(extra))
    axes += tuple(extra + i for i, length in enumerate(shape) if length == 1)
    uses = g.size / max(1, math.prod(shape))
    return (g.mean(axis=axes, keepdims=True) * uses).reshape(shape)
