"""Full points: functions made by one maker, total as a product with ones, jacobian filled by
np.column_stack, hvp with a class of its own instead of Dual."""

# %% q2
def _made(f, slope):
    def function(x):
        value = f(x.value)
        return Dual(value, slope(x.value, value) * x.tangent)
    return function


exp = _made(np.exp, lambda x, z: z)
log = _made(np.log, lambda x, z: np.divide(1.0, x))
sin = _made(np.sin, lambda x, z: np.cos(x))
tanh = _made(np.tanh, lambda x, z: (1 - z) * (1 + z))


def total(x):
    """The Dual of the sum of all entries of x."""
    value, tangent = np.ravel(x.value), np.ravel(x.tangent)
    return Dual(np.ones(value.size) @ value, np.ones(value.size) @ tangent)


def matmul(x, y):
    """The Dual of x @ y; one of the two may be a plain array."""
    x, y = (z if isinstance(z, Dual) else Dual(z, np.zeros_like(z)) for z in (x, y))
    tangent = np.matmul(x.tangent, y.value) + np.matmul(x.value, y.tangent)
    return Dual(np.matmul(x.value, y.value), tangent)


# %% q3
def along(f, x, v):
    """(f(x), how fast it moves when x moves with speed v), by one call of f."""
    z = f(Dual(np.array(x, float)[()], np.array(v, float)[()]))
    return (z.value, z.tangent) if isinstance(z, Dual) else (z, np.zeros_like(z, float))


def jacobian(f, x):
    """The matrix [m, n] of the slopes of f(x)[i] by x[j]."""
    def column(j):
        v = np.zeros(len(x))
        v[j] = 1.0
        return along(f, x, v)[1]
    return np.column_stack([column(j) for j in range(len(x))])


# %% q5
class _Pair(tuple):
    """(number, speed), with + - * alone."""

    def __add__(self, other):
        a, v, b, w = (*self, *_pair(other))
        return _Pair((a + b, v + w))

    def __sub__(self, other):
        a, v, b, w = (*self, *_pair(other))
        return _Pair((a - b, v - w))

    def __rsub__(self, other):
        return _pair(other) - self

    def __mul__(self, other):
        a, v, b, w = (*self, *_pair(other))
        return _Pair((a * b, v * b + a * w))

    __radd__, __rmul__ = __add__, __mul__


def _pair(x):
    return x if isinstance(x, _Pair) else _Pair((x, 0.0))


def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    return [_pair(g)[1] for g in gradient(f, list(map(_Pair, zip(xs, vs))))]
