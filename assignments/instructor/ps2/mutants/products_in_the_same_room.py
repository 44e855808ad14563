"""Loses q4: products of matrices go into arrays kept by shape, over those returned before."""

# %% q4
ROOMS = {}


def into(name, a, b):
    if a.ndim > 2:
        return a @ b
    room = ROOMS.setdefault((name, len(a), b.shape[1]), np.zeros((len(a), b.shape[1])))
    return np.matmul(a, b, out=room)


def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return into("x", g, np.swapaxes(y, -1, -2)), into("y", np.swapaxes(x, -1, -2), g)
