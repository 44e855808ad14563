"""Loses q3: writes out where the axis goes, for vectors, matrices and three axes, no more."""

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    g = np.asarray(g, float)
    if axis is None:
        return np.full(x.shape, g.ravel()[0])
    if not keepdims:
        at = axis % x.ndim
        g = g[None] if at == 0 else g[:, None] if at == 1 else g[:, :, None]
    return np.tile(g, [x.shape[i] if i == axis % x.ndim else 1 for i in range(x.ndim)])
