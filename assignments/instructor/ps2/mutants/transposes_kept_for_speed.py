"""Loses q4: transposes are kept from call to call by the array's identity; when y has been changed
in place between two calls (as training does), the second x_bar is computed from the old
numbers."""

# %% q4
TURNED = {}


def turned(x):
    """x with its last two axes swapped, laid out afresh; done once for each array."""
    if id(x) not in TURNED:
        TURNED[id(x)] = x, np.swapaxes(x, -1, -2).copy()
    return TURNED[id(x)][1]


def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return g @ turned(y), turned(x) @ g
