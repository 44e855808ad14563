"""Loses q2: the cotangents of a product go into arrays like x and y: where these hold whole
numbers, they are cut."""

# %% q2 after the key
def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    x_bar, y_bar = np.empty_like(x), np.empty_like(y)
    x_bar[...] = g * y
    y_bar[...] = g * x
    return x_bar, y_bar
