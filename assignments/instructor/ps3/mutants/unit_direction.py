"""Loses q3: the direction is divided by its length: a slope, but not the speed."""
# %% q3
def along(f, x, v):
    result = f(Dual(x, v / np.linalg.norm(v)))
    if not isinstance(result, Dual):
        result = Dual(result, 0.0 * result)
    return result.value, result.tangent


def jacobian(f, x):
    return np.array([along(f, x, seed)[1] for seed in np.eye(len(x))]).T
