"""Loses q2: a vector is made a column and the product squeezed, so [2,3] @ [3,1] gives [2], not
[2,1]."""
# %% q2 after the key
def matmul(x, y):
    x, y = (z if isinstance(z, Dual) else Dual(z, np.zeros(np.shape(z))) for z in (x, y))
    tangent = times(x.tangent, y.value) + times(x.value, y.tangent)
    return Dual(times(x.value, y.value), tangent)


def times(a, b):
    product = a @ np.reshape(b, (a.shape[1], -1))
    return product[:, 0] if product.shape[1] == 1 else product
