"""Loses q2: the second factor's speed comes first; matrices that commute cannot tell."""
# %% q2 after the key
def matmul(x, y):
    (a, v), (b, w) = parts_of(x), parts_of(y)
    return Dual(a @ b, v @ b + (w @ a if a.shape == b.shape else a @ w))


def parts_of(x):
    return (x.value, x.tangent) if isinstance(x, Dual) else (x, np.zeros(x.shape))
