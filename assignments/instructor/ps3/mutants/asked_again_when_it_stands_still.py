"""Loses q3: when f's result has no tangent, f is called a second time, with plain x: along(lambda
x: 5.0, 3.0, 1.0) calls f twice (and so does each pass of jacobian)."""

# %% q3
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    try:
        z = f(Dual(x, v))
        return z.value, z.tangent
    except AttributeError:  # no Dual: it stands still
        value = f(x)
        return value, np.zeros(np.shape(value))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    return np.stack([along(f, x, v)[1] for v in np.eye(len(x))], axis=1)
