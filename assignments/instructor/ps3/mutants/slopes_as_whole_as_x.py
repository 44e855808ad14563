"""Loses q3: the matrix takes x's type: at x = np.array([1, 2]), whole numbers, the slopes of 0.5 x
are 0 instead of 0.5."""

# %% q3
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    z = f(Dual(x, v))
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, np.zeros(np.shape(z))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    columns = []
    for v in np.eye(len(x)):
        columns.append(np.asarray(along(f, x, v)[1]).astype(np.asarray(x).dtype))
    return np.stack(columns, axis=1)
