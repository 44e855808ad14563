"""Loses q4: the turned stacks are kept by the object, and not seen when its numbers change."""

# %% q4
TURNED = {}


def turned(a):
    if a.ndim == 2:
        return a.T
    if id(a) not in TURNED:
        TURNED[id(a)] = a, np.swapaxes(a, -1, -2).copy()
    return TURNED[id(a)][1]


def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return g @ turned(y), turned(x) @ g
