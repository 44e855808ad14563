"""Loses q2: the slope of the sine, without the tangent that comes in."""
# %% q2
def exp(x):
    return Dual(np.exp(x.value), np.exp(x.value) * x.tangent)


def log(x):
    return Dual(np.log(x.value), x.tangent / x.value)


def sin(x):
    return Dual(np.sin(x.value), np.cos(x.value))


def tanh(x):
    return Dual(np.tanh(x.value), x.tangent / np.cosh(x.value) ** 2)


def total(x):
    return Dual(x.value.sum(), x.tangent.sum())


def matmul(x, y):
    (a, v), (b, w) = parts_of(x), parts_of(y)
    return Dual(a @ b, v @ b + a @ w)


def parts_of(x):
    return (x.value, x.tangent) if isinstance(x, Dual) else (x, np.zeros(x.shape))
