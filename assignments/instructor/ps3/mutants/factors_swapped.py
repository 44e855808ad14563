"""Loses q2: the second factor's speed comes first; symmetric and diagonal matrices cannot tell."""
# %% q2
def exp(x):
    return Dual(np.exp(x.value), np.exp(x.value) * x.tangent)


def log(x):
    return Dual(np.log(x.value), x.tangent / x.value)


def sin(x):
    return Dual(np.sin(x.value), x.tangent * np.cos(x.value))


def tanh(x):
    return Dual(np.tanh(x.value), x.tangent / np.cosh(x.value) ** 2)


def total(x):
    return Dual(x.value.sum(), x.tangent.sum())


def matmul(x, y):
    (a, v), (b, w) = parts_of(x), parts_of(y)
    return Dual(a @ b, v @ b + w @ a if a.shape == b.shape else v @ b + a @ w)


def parts_of(x):
    return (x.value, x.tangent) if isinstance(x, Dual) else (x, np.zeros(x.shape))
