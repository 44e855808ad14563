"""Loses q2: Products go into arrays that are kept by shape to save memory: the next call with this
shape overwrites the cotangents that the last call returned."""

# %% q2
BUFFERS = {}


def buffer(which, shape):
    return BUFFERS.setdefault((which, shape), np.empty(shape))


def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return g, -g


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    x_bar, y_bar = buffer("x", np.shape(x)), buffer("y", np.shape(x))
    np.multiply(g, y, out=x_bar)
    np.multiply(g, x, out=y_bar)
    return x_bar, y_bar


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    return g / y, -g * x / y / y
