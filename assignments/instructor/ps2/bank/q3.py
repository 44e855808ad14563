"""Wrong answers to q3 of ps2."""


# %% a_sum_has_no_axes | loses q3: fills the result by `x_bar[:] = g`, which an x of shape () does
# not allow.
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    x_bar = np.zeros(x.shape)
    x_bar[:] = g if axis is None or keepdims else np.expand_dims(g, axis)
    return x_bar


# %% axis_from_the_end | loses q3: axis -1 is taken for axis 0, since it is not 1.
def vjp_sum(x, g, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        g = np.expand_dims(g, 0 if axis == -1 and x.ndim == 2 else axis)
    return np.array(np.broadcast_to(g, x.shape))


# %% kept_axis_put_in_again | loses q3: puts the axis back although keepdims left it in its place.
def vjp_sum(x, g, axis=None, keepdims=False):
    if axis is not None:
        g = np.expand_dims(g, axis)
    return np.zeros(x.shape) + g


# %% kept_if_a_length_is_one | loses q3: Sees at g whether the axis was kept: a length of 1 there. x
# of shape (3, 1) summed over axis 0 without keepdims gives g of shape (1,), whose axis is not the
# one; (2, 3, 1) over axis 1 fails.
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    g = np.asarray(g)
    if axis is not None and not (g.ndim and 1 in g.shape):
        g = np.expand_dims(g, axis)
    return np.array(np.broadcast_to(g, x.shape))


# %% never_stretched | loses q3: leaves it to NumPy to put the axis back, which puts it in front.
def vjp_sum(x, g, axis=None, keepdims=False):
    try:
        return np.zeros(x.shape) + g
    except ValueError:
        return np.zeros(x.shape) + np.expand_dims(g, axis)


# %% rows_for_columns | loses q3: the homework's rule: a seed of ones cannot see which axis g is
# laid along.
def vjp_sum(x, g, axis=None, keepdims=False):
    if keepdims or axis is None or x.ndim != 2:
        return np.zeros(x.shape) + (g if keepdims or axis is None else np.expand_dims(g, axis))
    other = 1 - axis % 2
    shape = [1, 1]
    shape[axis] = x.shape[axis]
    return np.zeros(x.shape) + np.resize(g, shape)


# %% rule_of_the_mean | loses q3: divides by the number of entries, as the mean's rule would.
def vjp_sum(x, g, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return np.zeros(x.shape) + g * g.size / x.size


# %% sum_in_the_order_of_memory | loses q3: fills the result in the order in which x lies in memory,
# so a turned x gets turned cotangents.
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    g = np.asarray(g)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    x_bar = np.empty(x.size)
    x_bar[:] = np.broadcast_to(g, x.shape).ravel(order="F" if x.flags.f_contiguous else "C")
    return x_bar.reshape(x.shape)


# %% the_number_of_a_matrix | loses q3: with keepdims and axis None takes the one number as g[0, 0],
# which a matrix has; g of a vector or a stack has one axis or three.
# %% q3 after the key
laid_out = vjp_sum


def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    if axis is None and keepdims:
        return np.full(x.shape, g[0, 0], float)
    return laid_out(x, g, axis, keepdims)


# %% the_type_of_x | loses q3: the result takes x's type as well as its shape: for x =
# np.arange(6).reshape(2, 3), whole numbers, and g = 0.5 it is all 0 instead of 0.5.
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    x_bar = np.empty_like(x)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    x_bar[...] = g
    return x_bar


# %% three_axes_at_most | loses q3: writes out where the axis goes, for vectors, matrices and three
# axes, no more.
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    g = np.asarray(g, float)
    if axis is None:
        return np.full(x.shape, g.ravel()[0])
    if not keepdims:
        at = axis % x.ndim
        g = g[None] if at == 0 else g[:, None] if at == 1 else g[:, :, None]
    return np.tile(g, [x.shape[i] if i == axis % x.ndim else 1 for i in range(x.ndim)])


# %% true_and_false | loses q3: Whole numbers become float, as told, but x of True and False (a mask
# that is summed to count) does not: each entry of the cotangent is True.
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    kind = float if np.issubdtype(x.dtype, np.integer) else x.dtype
    x_bar = np.empty(x.shape, kind)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    x_bar[...] = g
    return x_bar


# %% x_times_zero | loses q3: Gets x's shape by adding 0 * x: where x holds inf or nan the cotangent
# is nan, though a sum's rule does not look at x's numbers.
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return g + 0.0 * x
