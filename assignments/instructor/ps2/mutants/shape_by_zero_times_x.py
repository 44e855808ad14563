"""Loses q2: the cotangents of x - y get their shape by 0 * x: where x is infinite they are nan."""

# %% q2 after the key
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return 0 * x + g, 0 * y - g
