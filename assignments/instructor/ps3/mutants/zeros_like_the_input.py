"""Loses q3: the slope of a constant in the shape of x, not of the result."""
# %% q3 after the key
def along(f, x, v):
    result = f(Dual(x, v))
    if not isinstance(result, Dual):
        result = Dual(result, np.zeros(np.shape(x)))
    return result.value, result.tangent
