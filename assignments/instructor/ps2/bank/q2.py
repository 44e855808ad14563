"""Wrong answers to q2 of ps2."""


# %% difference_without_sign | loses q2: y's cotangent in x - y has no minus.
def vjp_sub(x, y, g):
    return g, g


def vjp_mul(x, y, g):
    return g * y, g * x


def vjp_div(x, y, g):
    return g / y, -g * x / y**2


# %% in_the_order_of_memory | loses q2: works on flat arrays in the order of memory, which is not
# that of the entries when one is turned.
# %% q2 after the key
def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    flat_x, flat_y, flat_g = (a.ravel(order="K") for a in (x, y, g))
    return (flat_g * flat_y).reshape(x.shape), (flat_g * flat_x).reshape(y.shape)


# %% jacobians_of_vectors | loses q2: the rule of x / y by diagonal Jacobians, which only vectors
# have: of a matrix np.diag takes the diagonal.
# %% q2 after the key
def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    if x.ndim == 1:
        return np.diag(1 / y) @ g, np.diag(-x / y**2) @ g
    return np.diag(np.diag(1 / y)) @ g, np.diag(np.diag(-x / y**2)) @ g


# %% one_buffer_for_all_calls | loses q2: Products go into arrays that are kept by shape to save
# memory: the next call with this shape overwrites the cotangents that the last call returned.
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


# %% own_factor | loses q2: in x * y each gets its own factor.
def vjp_sub(x, y, g):
    return g, -g


def vjp_mul(x, y, g):
    return g * x, g * y


def vjp_div(x, y, g):
    return g / y, -g * x / y**2


# %% power_of_whole_numbers | loses q2: Multiplies by y ** -2: for arrays of whole numbers NumPy
# raises ValueError, though x / y has a rule there.
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return g, -g


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    return g * y, g * x


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    return g / y, -g * x * y ** -2


# %% product_divides | loses q2: the other factor as z / x, which is 0 / 0 where x is 0.
# %% q2 after the key
def vjp_mul(x, y, g):
    return g * (x * y) / x, g * (x * y) / y


# %% quotient_divides | loses q2: the slope of x / y by x as z / x, which is 0 / 0 where x is 0.
# %% q2 after the key
def vjp_div(x, y, g):
    z = x / y
    return g * z / x, -g * z / y


# %% quotient_without_square | loses q2: y's cotangent in x / y lacks the square.
def vjp_sub(x, y, g):
    return g, -g


def vjp_mul(x, y, g):
    return g * y, g * x


def vjp_div(x, y, g):
    return g / y, -g * x / y


# %% room_of_the_factors_kind | loses q2: the cotangents of a product go into arrays like x and y:
# where these hold whole numbers, they are cut.
# %% q2 after the key
def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    x_bar, y_bar = np.empty_like(x), np.empty_like(y)
    x_bar[...] = g * y
    y_bar[...] = g * x
    return x_bar, y_bar


# %% shape_by_zero_times_x | loses q2: the cotangents of x - y get their shape by 0 * x: where x is
# infinite they are nan.
# %% q2 after the key
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return 0 * x + g, 0 * y - g


# %% square_of_the_same_object | loses q2: thinks that x * x needs 2x when both operands are the
# same object, for each of them: vjp_mul(x, x, g) should be (g x, g x); the engine does the adding,
# and gets 4x here.
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return g, -g


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    if x is y:  # a square: its slope is 2 x
        x_bar = 2 * g * x
        return x_bar, x_bar
    return g * y, g * x


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    return g / y, -g * x / (y * y)


# %% writes_into_g | loses q2: x's cotangent is written into g, when y's is done.
# %% q2 after the key
def vjp_mul(x, y, g):
    y_bar = g * x
    g *= y
    return g, y_bar
