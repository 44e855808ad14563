"""Loses q3: the slope of a constant in the shape of x, not of the result."""
# %% q3
def along(f, x, v):
    result = f(Dual(x, v))
    if not isinstance(result, Dual):
        result = Dual(result, np.zeros(np.shape(x)))
    return result.value, result.tangent


def jacobian(f, x):
    return np.array([along(f, x, seed)[1] for seed in np.eye(len(x))]).T
