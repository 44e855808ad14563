"""Loses q3: the result takes x's type as well as its shape: for x = np.arange(6).reshape(2, 3),
whole numbers, and g = 0.5 it is all 0 instead of 0.5."""

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    x_bar = np.empty_like(x)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    x_bar[...] = g
    return x_bar
