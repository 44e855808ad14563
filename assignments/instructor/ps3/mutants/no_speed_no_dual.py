"""Loses q3: when v is 0 everywhere, f gets the plain x, since nothing moves; an f that calls exp
or total cannot take it: along(exp, 1.0, 0.0) raises instead of giving (e, 0)."""

# %% q3
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    z = f(Dual(x, v)) if np.any(v) else f(x)
    if isinstance(z, Dual):
        return z.value, z.tangent
    return z, np.zeros(np.shape(z))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    return np.stack([along(f, x, v)[1] for v in np.eye(len(x))], axis=1)
