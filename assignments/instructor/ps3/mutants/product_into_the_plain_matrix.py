"""Loses q2: matmul(array, x) puts the product into the plain matrix, by `out=`."""
# %% q2 after the key
def matmul(x, y, matmul=matmul):
    if isinstance(x, Dual) or x.shape != y.value.shape or x.dtype != y.value.dtype:
        return matmul(x, y)
    tangent = x @ y.tangent
    return Dual(np.matmul(x, y.value, out=x), tangent)
