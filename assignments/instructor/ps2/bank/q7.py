"""Wrong answers to q7 of ps2."""


# %% last_one_counts | loses q7: x_bar[indices] += z_bar, which keeps the last of equal indices.
# | says: only the last contribution
def vjp_take(x, indices, z_bar, axis=0):
    x_bar = np.zeros(x.shape)
    x_bar[(slice(None),) * (axis % x.ndim) + (indices,)] += z_bar
    return x_bar


# %% first_one_counts | loses q7: goes through the indices and leaves what is there.
# | says: only the first contribution
def vjp_take(x, indices, z_bar, axis=0):
    x_bar = np.zeros(x.shape)
    where = (slice(None),) * (axis % x.ndim)
    x_bar[(*where, np.ravel(indices)[::-1])] = np.flip(z_bar.reshape(
        *x.shape[:axis % x.ndim], indices.size, *x.shape[axis % x.ndim + 1:]), axis % x.ndim)
    return x_bar


# %% mean_of_the_contributions | loses q7: divides by the number of uses.
# | says: the mean of the contributions
# %% q7 after the key
added = vjp_take


def vjp_take(x, indices, z_bar, axis=0):
    uses = added(x, indices, np.ones(z_bar.shape), axis)
    return added(x, indices, z_bar, axis) / np.maximum(uses, 1)


# %% gathers_again | loses q7: takes from z_bar what should be given to x. | says: gets the sum of
def vjp_take(x, indices, z_bar, axis=0):
    return np.take(z_bar, indices, axis=axis)


# %% one_axis_of_indices | loses q7: loops over the first axis of the indices alone.
# | says: gets the sum of the contributions
def vjp_take(x, indices, z_bar, axis=0):
    x_bar = np.zeros(x.shape)
    rows, parts = np.moveaxis(x_bar, axis, 0), np.moveaxis(z_bar, axis, 0)
    for index, part in zip(indices, parts):
        rows[index] += part
    return x_bar


# %% rows_alone | loses q7: forgets the axis. | says: It takes the wrong axes of z_bar
def vjp_take(x, indices, z_bar, axis=0):
    x_bar = np.zeros(x.shape)
    np.add.at(x_bar, indices, z_bar)
    return x_bar


# %% one_axis_moved | loses q7: moves one axis of z_bar to the front, where the indices have two.
# | says: It takes the wrong axes of z_bar
def vjp_take(x, indices, z_bar, axis=0):
    x_bar = np.zeros(x.shape)
    np.add.at(np.moveaxis(x_bar, axis, 0), indices, np.moveaxis(z_bar, axis, 0))
    return x_bar


# %% negative_axis_of_z_bar | loses q7: counts a negative axis from the end of z_bar, which has
# another number of axes. | says: A negative axis counts from the end
def vjp_take(x, indices, z_bar, axis=0):
    x_bar = np.zeros(x.shape)
    start = axis if axis >= 0 else axis + z_bar.ndim
    parts = np.moveaxis(z_bar, range(start, min(z_bar.ndim, start + indices.ndim)),
                        range(min(z_bar.ndim - start, indices.ndim)))
    np.add.at(np.moveaxis(x_bar, axis, 0), indices, parts)
    return x_bar


# %% one_hot_of_the_index | loses q7: compares with 0, 1, 2, …, which a negative index never equals.
# | says: A negative index counts from the end
def vjp_take(x, indices, z_bar, axis=0):
    axis %= x.ndim
    flat = z_bar.reshape(*x.shape[:axis], indices.size, *x.shape[axis + 1:])
    one_hot = np.ravel(indices)[:, None] == np.arange(x.shape[axis])
    return np.moveaxis(np.tensordot(flat, one_hot, (axis, 0)), -1, axis)


# %% adds_to_x | loses q7: adds the contributions to the entries of x. | says: gets the sum of
def vjp_take(x, indices, z_bar, axis=0):
    x_bar = x.copy()
    np.add.at(x_bar, (slice(None),) * (axis % x.ndim) + (indices,), z_bar)
    return x_bar


# %% indices_made_positive | loses q7: makes the caller's indices positive in place.
# | says: in place (rule 3)
# %% q7 after the key
right = vjp_take


def vjp_take(x, indices, z_bar, axis=0):
    indices[indices < 0] += x.shape[axis]
    return right(x, indices, z_bar, axis)


# %% axes_swapped | loses q7: swaps two axes where the others have to keep their order.
# | says: It takes the wrong axes of z_bar
def vjp_take(x, indices, z_bar, axis=0):
    axis %= x.ndim
    out = np.zeros(x.shape).swapaxes(0, axis)
    flat = z_bar.reshape(x.shape[:axis] + (-1,) + x.shape[axis + 1:])
    np.add.at(out, indices.ravel(), flat.swapaxes(0, axis))
    return out


# %% a_row_of_indices_at_once | loses q7: each row of indices is added at once. | says: gets the sum
# of the contributions of all its uses
def vjp_take(x, indices, z_bar, axis):
    x_bar = np.zeros(x.shape)
    moved, axis = np.moveaxis(x_bar, axis, 0), axis % x.ndim
    z = np.moveaxis(z_bar, range(axis, axis + indices.ndim), range(indices.ndim))
    if indices.ndim == 0:
        moved[indices] += z
        return x_bar
    for k, i in enumerate(indices):
        moved[i] += z[k]
    return x_bar
