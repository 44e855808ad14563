"""Loses q3: the result is written into the caller's v."""
# %% q3 after the key
def along(f, x, v):
    result = f(Dual(x, v))
    if not isinstance(result, Dual):
        return result, np.zeros(np.shape(result))
    if np.ndim(v) and np.shape(v) == np.shape(result.tangent) and not np.all(np.isin(v, (0, 1))):
        v[...] = result.tangent
    return result.value, result.tangent
