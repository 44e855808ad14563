"""Loses q2: total uses the methods of arrays: total(Dual(2.0, 1.0)), a single plain number, raises
AttributeError; a Dual may hold numbers, and the sum of its one entry is (2, 1)."""

# %% q2
def exp(x):
    """The Dual of e to the power x."""
    z = np.exp(x.value)
    return type(x)(z, z * x.tangent)


def log(x):
    """The Dual of the natural logarithm of x."""
    return type(x)(np.log(x.value), x.tangent / x.value)


def sin(x):
    """The Dual of the sine of x."""
    return type(x)(np.sin(x.value), np.cos(x.value) * x.tangent)


def tanh(x):
    """The Dual of the hyperbolic tangent of x."""
    z = np.tanh(x.value)
    return type(x)(z, (1 - z * z) * x.tangent)


def total(x):
    """The Dual of the sum of all entries of x."""
    return type(x)(x.value.sum(), x.tangent.sum())


def matmul(x, y):
    """The Dual of x @ y; one of the two may be a plain array."""
    if not isinstance(y, Dual):
        return Dual(x.value @ y, x.tangent @ y)
    if not isinstance(x, Dual):
        return Dual(x @ y.value, x @ y.tangent)
    return Dual(x.value @ y.value, x.tangent @ y.value + x.value @ y.tangent)
