"""Loses q2: works on flat arrays in the order of memory, which is not that of the entries when
one is turned."""

# %% q2 after the key
def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    flat_x, flat_y, flat_g = (a.ravel(order="K") for a in (x, y, g))
    return (flat_g * flat_y).reshape(x.shape), (flat_g * flat_x).reshape(y.shape)
