"""Loses q3: Whole numbers become float, as told, but x of True and False (a mask that is summed to
count) does not: each entry of the cotangent is True."""

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    kind = float if np.issubdtype(x.dtype, np.integer) else x.dtype
    x_bar = np.empty(x.shape, kind)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    x_bar[...] = g
    return x_bar
