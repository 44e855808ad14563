"""Loses q4: Turns matrices by strides reckoned from the shape: an argument that is a view (w.T, or
every second column) lies otherwise in memory, and other numbers are read."""

# %% q4
def turned(a):
    *front, rows, columns = a.shape
    size = a.itemsize
    strides = [rows * columns * size] * len(front) + [size, columns * size]
    return np.lib.stride_tricks.as_strided(a, (*front, columns, rows), strides)


def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return g @ turned(y), turned(x) @ g
