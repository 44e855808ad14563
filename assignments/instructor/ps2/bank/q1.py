"""Wrong answers to q1 of ps2."""


# %% aligned_at_the_front | loses q1: looks for the added axes at the end, where NumPy adds them in
# front. | says: at the end of the shape
def unbroadcast(z_bar, shape):
    z_bar = z_bar.sum(axis=tuple(range(len(shape), z_bar.ndim)))
    stretched = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return z_bar.sum(axis=stretched, keepdims=True)


# %% front_axes_alone | loses q1: forgets the axes of length 1.
# | says: axes of length 1 that NumPy stretched
def unbroadcast(z_bar, shape):
    while z_bar.ndim > len(shape):
        z_bar = z_bar.sum(axis=0)
    return z_bar


# %% keeps_no_axis | loses q1: sums axes of length 1 away instead of keeping them.
# | says: removes the axes of length 1
def unbroadcast(z_bar, shape):
    z_bar = z_bar.sum(axis=tuple(range(z_bar.ndim - len(shape))))
    return z_bar.sum(axis=tuple(axis for axis, length in enumerate(shape) if length == 1))


# %% mean_over_uses | loses q1: takes the mean over the uses. | says: mean over the uses
def unbroadcast(z_bar, shape):
    while z_bar.ndim > len(shape):
        z_bar = z_bar.mean(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            z_bar = z_bar.mean(axis=axis, keepdims=True)
    return z_bar


# %% by_length_of_the_axis | loses q1: sums over the axes whose length is not in the shape, which in
# a square are none.
# | says: the sum of z_bar over the axes
def unbroadcast(z_bar, shape):
    axes = tuple(axis for axis, length in enumerate(z_bar.shape) if length not in shape)
    return z_bar.sum(axis=axes).reshape(shape)


# %% only_one_axis | loses q1: sums over one added axis, however many there are.
# | says: one of the axes that NumPy added
def unbroadcast(z_bar, shape):
    if z_bar.ndim > len(shape):
        z_bar = z_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            z_bar = z_bar.sum(axis=axis, keepdims=True)
    return z_bar


# %% adds_into_the_first_slice | loses q1: adds the other slices to z_bar[0], which is a view, so
# that the caller's z_bar is changed.
# | says: in place (rule 3)
def unbroadcast(z_bar, shape):
    while z_bar.ndim > max(1, len(shape)):
        whole = z_bar[0]
        for part in z_bar[1:]:
            whole += part
        z_bar = whole
    if not shape:
        return np.array(z_bar.sum())
    if z_bar.ndim > len(shape):
        z_bar = z_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            z_bar = z_bar.sum(axis=axis, keepdims=True)
    return z_bar


# %% stretched_axes_one_by_one | loses q1: sums each axis of length 1 without keeping it, so the
# next ones have other numbers. | says: removes the axes of length 1
def unbroadcast(z_bar, shape):
    while z_bar.ndim > len(shape):
        z_bar = z_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1 and z_bar.shape[axis] != 1:
            z_bar = z_bar.sum(axis=axis)
    return z_bar


# %% counted_from_the_front | loses q1: sums over the axes of length 1 before the added ones, so the
# numbers of the axes in `shape` are those of others in z_bar. | says: from the front of z_bar
def unbroadcast(z_bar, shape):
    for axis, length in enumerate(shape):
        if length == 1:
            z_bar = z_bar.sum(axis=axis, keepdims=True)
    while z_bar.ndim > len(shape):
        z_bar = z_bar.sum(axis=0)
    return z_bar


# %% first_axis_unless_a_number | loses q1: sums over one added axis, and knows the shape () by
# itself. | says: one of the axes that NumPy added
def unbroadcast(z_bar, shape):
    if shape == ():
        return z_bar.sum()
    if z_bar.ndim > len(shape):
        z_bar = z_bar.sum(axis=0)
    stretched = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return z_bar.sum(axis=stretched, keepdims=True)
