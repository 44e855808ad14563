"""Loses q2: the second factor's transpose, as in reverse mode; right when it is symmetric."""
# %% q2 after the key
def matmul(x, y):
    (a, v), (b, w) = parts_of(x), parts_of(y)
    return Dual(a @ b, v @ (b.T if b.shape == b.T.shape else b) + a @ w)


def parts_of(x):
    return (x.value, x.tangent) if isinstance(x, Dual) else (x, np.zeros(x.shape))
