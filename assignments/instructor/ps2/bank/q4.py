"""Wrong answers to q4 of ps2."""


# %% all_axes_turned_round | loses q4: .T, which turns all axes of a stack round.
def vjp_matmul(x, y, g):
    return g @ y.T, x.T @ g


# %% axes_of_length_one_squeezed | loses q4: in a stack the products are squeezed, so matrices with
# one row or column lose it.
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if x.ndim == 2:
        return g @ y.T, x.T @ g
    x_bar = [np.squeeze(c @ b.T) for b, c in zip(y, g)]
    y_bar = [np.squeeze(a.T @ c) for a, c in zip(x, g)]
    return np.stack(x_bar), np.stack(y_bar)


# %% factors_swapped | loses q4: the factors of y's cotangent in the wrong order.
def vjp_matmul(x, y, g):
    x_bar = g @ np.swapaxes(y, -1, -2)
    y_bar = np.swapaxes(np.swapaxes(g, -1, -2) @ x, -1, -2)
    if x.shape[-1] == x.shape[-2] == g.shape[-1]:
        y_bar = g @ np.swapaxes(x, -1, -2)
    return x_bar, y_bar


# %% matrices_of_the_kind_of_x | loses q4: the cotangents are given the types of x and y, as they
# have their shapes: those of whole numbers are cut.
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    x_bar, y_bar = g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
    return x_bar.astype(x.dtype), y_bar.astype(y.dtype)


# %% no_transposes | loses q4: without transposes, which squares let pass.
def vjp_matmul(x, y, g):
    if x.shape == y.shape == g.shape and x.ndim == 2:
        return g @ y, x @ g
    return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g


# %% products_in_the_same_room | loses q4: products of matrices go into arrays kept by shape, over
# those returned before.
ROOMS = {}


def into(name, a, b):
    if a.ndim > 2:
        return a @ b
    room = ROOMS.setdefault((name, len(a), b.shape[1]), np.zeros((len(a), b.shape[1])))
    return np.matmul(a, b, out=room)


def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return into("x", g, np.swapaxes(y, -1, -2)), into("y", np.swapaxes(x, -1, -2), g)


# %% squares_of_a_stack_turned | loses q4: turns the square matrices of a stack in place, and leaves
# the caller's stack so.
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if x.ndim == 2 or x.shape[-1] != x.shape[-2]:
        return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
    for matrix in x:
        matrix[...] = matrix.T.copy()
    return g @ np.swapaxes(y, -1, -2), x @ g


# %% stack_of_one_loses_its_axis | loses q4: gives a stack of one matrix the matrix's shape, in the
# caller's own array.
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if x.ndim == 3 and len(x) == 1:
        x.shape, y.shape, g.shape = x.shape[1:], y.shape[1:], g.shape[1:]
        return (g @ y.T)[None], (x.T @ g)[None]
    return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g


# %% stacks_kept_by_object | loses q4: the turned stacks are kept by the object, and not seen when
# its numbers change.
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


# %% stacks_of_the_kind_of_x | loses q4: the cotangents of stacks go, matrix by matrix, into arrays
# like x and y: of stacks of whole numbers all behind the point is cut off.
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if x.ndim == 2:
        return g @ y.T, x.T @ g
    x_bar, y_bar = np.empty_like(x), np.empty_like(y)
    for i in range(len(x)):
        x_bar[i], y_bar[i] = vjp_matmul(x[i], y[i], g[i])
    return x_bar, y_bar


# %% transposes_kept_for_speed | loses q4: transposes are kept from call to call by the array's
# identity; when y has been changed in place between two calls (as training does), the second x_bar
# is computed from the old numbers.
TURNED = {}


def turned(x):
    """x with its last two axes swapped, laid out afresh; done once for each array."""
    if id(x) not in TURNED:
        TURNED[id(x)] = x, np.swapaxes(x, -1, -2).copy()
    return TURNED[id(x)][1]


def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return g @ turned(y), turned(x) @ g


# %% turned_in_memory | loses q4: Turns matrices by strides reckoned from the shape: an argument
# that is a view (w.T, or every second column) lies otherwise in memory, and other numbers are read.
def turned(a):
    *front, rows, columns = a.shape
    size = a.itemsize
    strides = [rows * columns * size] * len(front) + [size, columns * size]
    return np.lib.stride_tricks.as_strided(a, (*front, columns, rows), strides)


def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return g @ turned(y), turned(x) @ g


# %% writes_into_the_factors | loses q4: turns the caller's square matrices round and leaves them
# so.
def vjp_matmul(x, y, g):
    if x.shape == y.shape and x.ndim == 2:
        if x is y:
            return g @ y.T, x.T @ g
        x[...], y[...] = x.T.copy(), y.T.copy()
        return g @ y, x @ g
    return g @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ g
