"""Wrong answers to q2 of ps2."""


# %% left_to_numpy | loses q2: lets NumPy broadcast z_bar, which lays it along the last axes.
# | says: leaves z_bar to NumPy
# %% q2 after the key
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if axis is None or keepdims:
        return np.broadcast_to(z_bar, x.shape)
    try:
        return np.broadcast_to(z_bar, x.shape)
    except ValueError:
        return np.broadcast_to(np.expand_dims(z_bar, axis), x.shape)


# %% rows_for_columns | loses q2: the homework's mistake: lays z_bar along the other axis of a
# matrix.
# | says: along rows where columns were summed
# %% q2 after the key
right_sum = vjp_sum


def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if isinstance(axis, int) and not keepdims and x.ndim == 2 and x.shape[0] == x.shape[1]:
        return right_sum(x, z_bar, 1 - axis % 2, False)
    return right_sum(x, z_bar, axis, keepdims)


# %% one_axis_only | loses q2: knows single axes only. | says: several axes again
# %% q2
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if axis is None:
        return np.full(x.shape, z_bar.item())
    if not keepdims:
        z_bar = np.stack([z_bar], axis=axis)
    return np.repeat(z_bar, x.shape[axis], axis=axis)


def vjp_mean(x, z_bar, axis=None, keepdims=False):
    return vjp_sum(x, z_bar, axis, keepdims) * z_bar.size / x.size


# %% rule_of_the_mean | loses q2: the sum divides, too. | says: as only the rule of the mean
# %% q2 after the key
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    count = x.size / z_bar.size
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    return np.broadcast_to(z_bar, x.shape) / count


vjp_mean = vjp_sum


# %% inserted_one_after_another | loses q2: inserts the axes in the order in which they are given,
# though an axis inserted later moves those behind it. | says: in any order
# %% q2
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        axes = axis if isinstance(axis, tuple) else (axis,)
        for one in [a % x.ndim for a in axes]:
            z_bar = np.expand_dims(z_bar, min(one, z_bar.ndim))
    return np.broadcast_to(z_bar, x.shape)


def vjp_mean(x, z_bar, axis=None, keepdims=False):
    return vjp_sum(x, z_bar, axis, keepdims) * z_bar.size / x.size


# %% negative_axes_in_a_tuple | loses q2: negative axes of a tuple are sorted in front of the
# others.
# | says: A tuple may contain negative axes
# %% q2 after the key
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        for one in sorted(axis) if isinstance(axis, tuple) else [axis]:
            z_bar = np.expand_dims(z_bar, one)
    return np.broadcast_to(z_bar, x.shape)


# %% negative_axes_of_the_result | loses q2: counts a negative axis from the end of z_bar's shape.
# | says: A negative axis counts from the end
# %% q2
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        axes = [axis] if isinstance(axis, int) else axis
        for one in sorted(a if a >= 0 else z_bar.ndim + a for a in axes):
            z_bar = np.expand_dims(z_bar, one)
    return np.broadcast_to(z_bar, x.shape)


def vjp_mean(x, z_bar, axis=None, keepdims=False):
    return vjp_sum(x, z_bar, axis, keepdims) * z_bar.size / x.size


# %% kept_axis_inserted_again | loses q2: inserts the axis although keepdims has kept it.
# | says: must not be inserted again
# %% q2
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if axis is not None:
        z_bar = np.expand_dims(z_bar, axis)
    return np.zeros(x.shape) + z_bar


def vjp_mean(x, z_bar, axis=None, keepdims=False):
    kept = z_bar.size
    if keepdims and axis is not None:
        z_bar = np.squeeze(z_bar, axis)
    return vjp_sum(x, z_bar, axis) * kept / x.size


# %% mean_without_division | loses q2: the mean's rule is that of the sum.
# | says: does not divide by the number of entries
# %% q2 after the key
vjp_mean = vjp_sum


# %% mean_of_all_entries | loses q2: divides by the size of x, whatever the axis.
# | says: number of all entries of x
# %% q2 after the key
def vjp_mean(x, z_bar, axis=None, keepdims=False):
    return vjp_sum(x, z_bar, axis, keepdims) / x.size


# %% mean_of_one_axis | loses q2: divides by the length of the first axis of a tuple.
# | says: one of the axes alone
# %% q2 after the key
def vjp_mean(x, z_bar, axis=None, keepdims=False):
    if axis is None:
        count = x.size
    else:
        count = x.shape[axis[0] if isinstance(axis, tuple) else axis]
    return vjp_sum(x, z_bar, axis, keepdims) / count


# %% mean_of_means | loses q2: divides by the number of means. | says: by the number of means
# %% q2 after the key
def vjp_mean(x, z_bar, axis=None, keepdims=False):
    return vjp_sum(x, z_bar, axis, keepdims) / z_bar.size


# %% finds_axes_by_length | loses q2: the homework's mistake: finds the axes that were kept by their
# length.
# | says: along rows where columns were summed
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    if axis is None or keepdims:
        return np.broadcast_to(z_bar, x.shape)
    shape, left = [], list(z_bar.shape)
    for n in x.shape:
        if left and left[0] == n:
            shape.append(left.pop(0))
        else:
            shape.append(1)
    return np.broadcast_to(z_bar.reshape(shape), x.shape)


def vjp_mean(x, z_bar, axis=None, keepdims=False):
    return vjp_sum(x, z_bar, axis, keepdims) * z_bar.size / x.size


# %% mean_adds_the_lengths | loses q2: divides by the sum of the lengths of the axes.
# | says: It adds the lengths of the axes
# %% q2 after the key
def vjp_mean(x, z_bar, axis=None, keepdims=False):
    lengths = x.shape if axis is None else [x.shape[one] for one in np.atleast_1d(axis)]
    return vjp_sum(x, z_bar, axis, keepdims) / sum(lengths)


# %% axis_0_is_false | loses q2: `if not axis` takes axis 0 for None.
# | says: number of all entries of x
# %% q2 after the key
def vjp_mean(x, z_bar, axis=None, keepdims=False):
    count = x.size / z_bar.size if axis else x.size
    return vjp_sum(x, z_bar, axis, keepdims) / count


# %% mean_in_place | loses q2: divides the caller's z_bar in place. | says: in place (rule 3)
# %% q2 after the key
def vjp_mean(x, z_bar, axis=None, keepdims=False):
    z_bar /= x.size / z_bar.size
    return vjp_sum(x, z_bar, axis, keepdims)


# %% shape_in_place | loses q2: gives the caller's z_bar another shape.
# | says: in place (rule 3)
# %% q2
def vjp_sum(x, z_bar, axis=None, keepdims=False):
    z_bar.shape = x.sum(axis=axis, keepdims=True).shape
    return np.zeros(x.shape) + z_bar


def vjp_mean(x, z_bar, axis=None, keepdims=False):
    return vjp_sum(x, z_bar, axis, keepdims) * z_bar.size / x.size
