"""Loses q3: each pass gives a row: the Jacobian's transpose, which a symmetric one hides."""
# %% q3
def along(f, x, v):
    result = f(Dual(x, v))
    if not isinstance(result, Dual):
        result = Dual(result, 0.0 * result)
    return result.value, result.tangent


def jacobian(f, x):
    return np.array([along(f, x, seed)[1] for seed in np.eye(len(x))])
