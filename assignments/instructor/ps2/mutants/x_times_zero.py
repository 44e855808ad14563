"""Loses q3: Gets x's shape by adding 0 * x: where x holds inf or nan the cotangent is nan, though
a sum's rule does not look at x's numbers."""

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return g + 0.0 * x
