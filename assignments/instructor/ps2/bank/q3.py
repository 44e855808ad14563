"""Wrong answers to q3 of ps2."""


# %% all_of_it_to_each | loses q3: each tied entry gets the whole cotangent.
# | says: Each of the tied entries gets all of z_bar
def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    return z_bar * (x == x.max(axis=axis, keepdims=True))


# %% nearly_tied | loses q3: `isclose` finds ties, and with them what is a little smaller. | says:
# but only equal ones tie
def vjp_max(x, z_bar, axis, keepdims):
    top = x.max(axis=axis, keepdims=True)
    ties = np.isclose(x, top)
    return ties / ties.sum(axis=axis, keepdims=True) * np.reshape(z_bar, top.shape)


# %% first_of_the_ties | loses q3: argmax finds the first of the ties, which gets everything.
# | says: Only the first of the tied entries
# %% q3 after the key
right_max = vjp_max


def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is None:
        x_bar = np.zeros(x.size)
        x_bar[x.argmax()] = z_bar.item()
        return x_bar.reshape(x.shape)
    if isinstance(axis, tuple):
        return right_max(x, z_bar, axis, keepdims)
    if not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    x_bar = np.zeros(x.shape)
    np.put_along_axis(x_bar, np.expand_dims(x.argmax(axis), axis), z_bar, axis)
    return x_bar


# %% ties_of_the_whole_array | loses q3: counts the ties of the whole array.
# | says: all ties of the whole array
def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    is_largest = x == x.max(axis=axis, keepdims=True)
    return z_bar * is_largest / is_largest.sum()


# %% divided_like_a_mean | loses q3: divides by the number of entries along the axis.
# | says: not by the number of tied ones
def vjp_max(x, z_bar, axis=None, keepdims=False):
    is_largest = x == x.max(axis=axis, keepdims=True)
    count = x.size / z_bar.size
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    return z_bar * is_largest / count


# %% largest_of_all | loses q3: compares with the largest entry of the whole array.
# | says: largest entry of the whole array
def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    is_largest = x == x.max()
    count = is_largest.sum(axis=axis, keepdims=True)
    return z_bar * is_largest / np.maximum(count, 1)


# %% largest_in_size | loses q3: compares absolute values. | says: The largest entry along the axis
def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    is_largest = np.abs(x) == np.abs(x).max(axis=axis, keepdims=True)
    return z_bar * is_largest / is_largest.sum(axis=axis, keepdims=True)


# %% softly | loses q3: a softmax with a large factor, which is nearly the rule.
# | says: The largest entry along the axis
def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    powers = np.exp(10 * (x - x.max(axis=axis, keepdims=True)))
    return z_bar * powers / powers.sum(axis=axis, keepdims=True)


# %% axis_after_axis | loses q3: takes the maximum along one axis of a tuple after another, and
# splits at each step: [[5, 5], [5, 1]] gives parts of 1/4, 1/4 and 1/2.
# | says: one axis after another
# %% q3 after the key
along_one = vjp_max


def vjp_max(x, z_bar, axis=None, keepdims=False):
    if not isinstance(axis, tuple):
        return along_one(x, z_bar, axis, keepdims)
    if not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    stages = [x]
    for one in axis:
        stages.append(stages[-1].max(axis=one, keepdims=True))
    for one, stage in reversed(list(zip(axis, stages))):
        z_bar = along_one(stage, z_bar, one, True)
    return z_bar


# %% kept_axis_of_the_maximum | loses q3: inserts the axis although keepdims has kept it.
# | says: must not be inserted again
def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is not None:
        z_bar = np.expand_dims(z_bar, axis)
    is_largest = x == x.max(axis=axis, keepdims=True)
    return z_bar * is_largest / is_largest.sum(axis=axis, keepdims=True)


# %% lowered_in_place | loses q3: subtracts the maximum from the caller's x.
# | says: in place (rule 3)
def vjp_max(x, z_bar, axis=None, keepdims=False):
    if axis is not None and not keepdims:
        z_bar = np.expand_dims(z_bar, axis)
    x -= x.max(axis=axis, keepdims=True)
    is_largest = x == 0
    return z_bar * is_largest / is_largest.sum(axis=axis, keepdims=True)


# %% last_of_the_ties | loses q3: the last of the tied entries gets everything.
# | says: Only the last of the tied entries
def vjp_max(x, z_bar, axis=None, keepdims=False):
    kept = x.max(axis=axis, keepdims=True)
    part = z_bar.reshape(kept.shape) * np.ones(x.shape)
    x_bar, seen = np.zeros(x.shape), set()
    axes = range(x.ndim) if axis is None else [a % x.ndim for a in np.atleast_1d(axis)]
    whole = np.broadcast_to(kept, x.shape)
    for place in list(np.ndindex(x.shape))[::-1]:
        key = tuple(p for i, p in enumerate(place) if i not in axes)
        if x[place] == whole[place] and key not in seen:
            seen.add(key)
            x_bar[place] = part[place]
    return x_bar


# %% first_of_several_axes | loses q3: of a tuple of axes, the first tied entry gets all.
# | says: Only the first of the tied entries gets z_bar.
def vjp_max(x, z_bar, axis, keepdims):
    z_bar = np.reshape(z_bar, x.max(axis=axis, keepdims=True).shape)
    largest = x == x.max(axis=axis, keepdims=True)
    if not isinstance(axis, tuple):
        return z_bar * largest / largest.sum(axis=axis, keepdims=True)
    places = tuple(range(-len(axis), 0))
    moved = np.moveaxis(largest, sorted(one % x.ndim for one in axis), places)
    lines = moved.reshape(*moved.shape[:-len(axis)], -1)
    first = np.eye(lines.shape[-1])[lines.argmax(-1)].reshape(moved.shape)
    return z_bar * np.moveaxis(first, places, sorted(one % x.ndim for one in axis))


# %% divided_in_place | loses q3: divides a view of the caller's z_bar by the number of ties.
# | says: in place (rule 3)
def vjp_max(x, z_bar, axis=None, keepdims=False):
    top = x.max(axis=axis, keepdims=True)
    largest = x == top
    z_bar = z_bar.reshape(top.shape)
    z_bar /= largest.sum(axis=axis, keepdims=True)
    return largest * z_bar


# %% axis_after_axis_of_all | loses q3: takes the maximum along one axis after another, also where
# the axis is None. | says: one axis after another
def vjp_max(x, z_bar, axis=None, keepdims=False):
    axes = tuple(range(x.ndim)) if axis is None else tuple(np.atleast_1d(axis))
    stages = [x]
    for one in axes:
        stages.append(stages[-1].max(axis=one, keepdims=True))
    z_bar = z_bar.reshape(stages.pop().shape)
    for one, stage in zip(axes[::-1], stages[::-1]):
        largest = stage == stage.max(axis=one, keepdims=True)
        z_bar = z_bar * largest / largest.sum(axis=one, keepdims=True)
    return z_bar
