"""Wrong answers to q4 of ps2."""


# %% all_axes_reversed | loses q4: .T reverses all axes of a stack. | says: .T reverses all of them
# %% q4 after the key
def vjp_matmul(x, y, z_bar):
    x_bar, y_bar = z_bar @ y.T, x.T @ z_bar
    return sum_over_uses(x_bar, x.shape), sum_over_uses(y_bar, y.shape)


# %% not_added_up | loses q4: one cotangent for each use of a matrix.
# | says: does not add up the contributions where
def vjp_matmul(x, y, z_bar):
    return z_bar @ np.swapaxes(y, -1, -2), np.swapaxes(x, -1, -2) @ z_bar


# %% only_added_axes | loses q4: sums over added axes, and not over those of length 1.
# | says: contributions where y was broadcast
# %% q4 after the key
def sum_over_uses(x_bar, shape):
    return x_bar.sum(axis=tuple(range(x_bar.ndim - len(shape))))


# %% only_axes_of_length_one | loses q4: expects stacks with the same number of axes.
# | says: does not add up the contributions where
# %% q4 after the key
def sum_over_uses(x_bar, shape):
    if x_bar.ndim > len(shape):
        return x_bar
    axes = tuple(axis for axis in range(len(shape) - 2) if shape[axis] == 1)
    return x_bar.sum(axis=axes, keepdims=True)


# %% mean_over_matrices | loses q4: takes the mean over the uses. | says: the mean over the uses
# %% q4 after the key
def sum_over_uses(x_bar, shape):
    padded = (1,) * (x_bar.ndim - len(shape)) + shape
    axes = tuple(axis for axis in range(x_bar.ndim - 2) if padded[axis] == 1)
    return x_bar.mean(axis=axes).reshape(shape)


# %% first_use_alone | loses q4: keeps the contribution of the first use.
# | says: only one of the contributions
# %% q4 after the key
def sum_over_uses(x_bar, shape):
    while x_bar.ndim > len(shape):
        x_bar = x_bar[0]
    axes = tuple(axis for axis in range(x_bar.ndim - 2) if shape[axis] == 1)
    return x_bar.sum(axis=axes, keepdims=True)


# %% only_y_may_broadcast | loses q4: adds up for y alone.
# | says: add up the contributions where x was
# %% q4 after the key
def vjp_matmul(x, y, z_bar):
    y_bar = sum_over_uses(np.swapaxes(x, -1, -2) @ z_bar, y.shape)
    return z_bar @ np.swapaxes(y, -1, -2), y_bar


# %% rows_of_length_one_summed | loses q4: q1's function on all axes also sums over what is no
# stack: here it is given the shape of the stack alone.
# | says: the sum over all uses
# %% q4 after the key
def sum_over_uses(x_bar, shape):
    for axis in range(x_bar.ndim - len(shape)):
        x_bar = x_bar.sum(axis=-3 if x_bar.ndim > 3 else 0)
    axes = tuple(axis for axis in range(x_bar.ndim - 2) if shape[axis] == 1)
    return x_bar.sum(axis=axes, keepdims=True)


# %% no_transposes | loses q4: without transposes, which square matrices hide.
# | says: A transpose is missing for
# %% q4 after the key
right_matmul = vjp_matmul


def vjp_matmul(x, y, z_bar):
    if x.shape == y.shape == z_bar.shape and x.ndim == 2:
        return z_bar @ y, x @ z_bar
    return right_matmul(x, y, z_bar)


# %% factors_swapped | loses q4: the factors of y's cotangent in the wrong order, where they fit.
# | says: in the wrong order
# %% q4 after the key
right_matmul = vjp_matmul


def vjp_matmul(x, y, z_bar):
    x_bar, y_bar = right_matmul(x, y, z_bar)
    if x.shape == y.shape == z_bar.shape and x.shape[-1] == x.shape[-2]:
        y_bar = z_bar @ np.swapaxes(x, -1, -2)
    return x_bar, y_bar


# %% matrices_alone | loses q4: the rule of lesson 05b, which is for two matrices.
# | says: .T reverses all of them
def vjp_matmul(x, y, z_bar):
    return z_bar @ y.T, x.T @ z_bar


# %% one_cotangent | loses q4: returns the cotangent of x alone.
# | says: one cotangent for each input
# %% q4 after the key
right_matmul = vjp_matmul


def vjp_matmul(x, y, z_bar):
    return [right_matmul(x, y, z_bar)[0]]


# %% stacks_of_three_axes | loses q4: transposes a stack with three axes, and no other.
# | says: but not for those with four
# %% q4 after the key
def transposed(x):
    return x.T if x.ndim == 2 else x.transpose(0, 2, 1)


def vjp_matmul(x, y, z_bar):
    x_bar, y_bar = z_bar @ transposed(y), transposed(x) @ z_bar
    return sum_over_uses(x_bar, x.shape), sum_over_uses(y_bar, y.shape)


# %% written_into_z_bar | loses q4: writes the cotangent of x into the caller's z_bar.
# | says: in place (rule 3)
# %% q4 after the key
right_matmul = vjp_matmul


def vjp_matmul(x, y, z_bar):
    x_bar, y_bar = right_matmul(x, y, z_bar)
    if x_bar.shape == z_bar.shape:
        z_bar[:] = x_bar
        x_bar = z_bar
    return x_bar, y_bar
