"""Wrong answers to q1 of ps2."""


# %% a_sum_in_the_same_room | loses q1: sums are formed in arrays kept by shape: the next call of
# this shape writes over what the last one returned.
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


# %% adds_into_the_first_slice | loses q1: adds the further slices into g[0], which is a view: the
# caller's g is changed (any new axis in front, g of two axes or more). A right answer leaves its
# arguments as they are.
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    g = np.asarray(g)
    while g.ndim > len(shape):
        if len(g) == 0:
            g = np.zeros(g.shape[1:])
            continue
        whole = g[0]
        for part in g[1:]:
            whole += part
        g = np.asarray(whole)
    for axis, length in enumerate(shape):
        if length == 1:
            g = g.sum(axis=axis, keepdims=True)
    return g


# %% aligned_at_the_front | loses q1: puts missing axes at the end, where NumPy puts them in front.
def unbroadcast(g, shape):
    g = g.sum(axis=tuple(range(len(shape), g.ndim)))
    repeated = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return g.sum(axis=repeated, keepdims=True)


# %% caller_loses_the_shape | loses q1: Makes one axis of all that are too many by setting g.shape:
# the caller's own g has another shape afterwards, and a rule leaves its arguments as they are.
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


# %% front_axes_alone | loses q1: forgets the axes of length 1.
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    return g


# %% keeps_no_axis | loses q1: sums axes of length 1 away instead of keeping them.
def unbroadcast(g, shape):
    extra = g.ndim - len(shape)
    g = g.sum(axis=tuple(range(extra)))
    return g.sum(axis=tuple(axis for axis, length in enumerate(shape) if length == 1))


# %% mean_over_uses | loses q1: the mean over the uses, not their sum.
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.mean(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            g = g.mean(axis=axis, keepdims=True)
    return g


# %% mean_times_uses | loses q1: takes the mean and multiplies by the number of uses, so an entry
# that was used no time gets nan: for g of shape (0, 3) and shape (1, 3) or (3,) the right answer is
# zeros (the empty sum).
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


# %% one_number_stays | loses q1: g of shape () has no axes, and is taken for a mistake.
# %% q1 after the key
of_any = unbroadcast


def unbroadcast(g, shape):
    return of_any(g, shape) if g.shape else np.zeros(shape)


# %% sums_by_a_matrix_of_zeros_and_ones | loses q1: Multiplies g by a matrix that has a 1 where an
# entry goes: one infinite entry of g makes nan (0 times inf) of the sums that it has no part in.
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    shape = tuple(shape)
    size = int(np.prod(shape))
    came_from = np.broadcast_to(np.arange(size).reshape(shape), g.shape).ravel()
    goes = np.arange(size)[:, None] == came_from[None, :]
    return (goes.astype(float) @ np.asarray(g, float).ravel()).reshape(shape)


# %% sums_into_g | loses q1: adds the rows up in the caller's g.
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for axis, length in enumerate(shape):
        if length == 1 and g.shape[axis] > 1:
            lines = np.moveaxis(g, axis, 0)
            for line in lines[1:]:
                lines[0] += line
            g = np.moveaxis(lines[:1], 0, axis)
    return g


# %% three_letters_of_axes | loses q1: sums with einsum, whose letters are written out for four
# axes.
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    letters = "abcd"[-g.ndim:] if g.ndim else ""
    padded = (1,) * (g.ndim - len(shape)) + tuple(shape)
    kept = "".join(letter for letter, length in zip(letters, padded) if length != 1)
    return np.einsum(f"{letters}->{kept}", g).reshape(shape)
