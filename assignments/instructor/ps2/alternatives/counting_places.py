"""Full points: unbroadcast counts in which place each entry of g falls (bincount with weights),
vjp_sum looks g's places up, and products are written with einsum."""

# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    size = int(np.prod(shape, dtype=int))
    places = np.broadcast_to(np.arange(size).reshape(shape), np.shape(g))
    return np.bincount(places.ravel(), weights=np.ravel(g), minlength=size).reshape(shape)

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    x = np.asarray(x)
    if axis is None:
        return np.zeros(x.shape) + np.ravel(g)[0]
    kept = list(x.shape)
    kept[axis] = 1
    where = np.indices(x.shape)
    where[axis] = 0
    return np.reshape(g, kept)[tuple(where)]

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return [np.einsum("...ik,...jk->...ij", g, y), np.einsum("...ki,...kj->...ij", x, g)]
