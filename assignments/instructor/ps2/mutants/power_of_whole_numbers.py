"""Loses q2: Multiplies by y ** -2: for arrays of whole numbers NumPy raises ValueError, though x /
y has a rule there."""

# %% q2
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return g, -g


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    return g * y, g * x


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    return g / y, -g * x * y ** -2
