"""Full points: operators made from a table of partial slopes; a class made for each derivative."""
# %% q1
import operator


class Dual:
    __array_priority__ = 1000
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __neg__(self):
        return -1 * self

    def __pow__(self, n):
        if n == 0:
            return Dual(self.value**0, self.tangent * 0.0)
        return Dual(self.value**n, self.tangent * n * self.value ** (n - 1))


SLOPES = {
    "add": lambda x, y: (1.0, 1.0),
    "sub": lambda x, y: (1.0, -1.0),
    "mul": lambda x, y: (y, x),
    "truediv": lambda x, y: (1 / y, -x / y / y),
}


def install(name, slopes):
    def compute(x, y):
        values = [getattr(part, "value", part) for part in (x, y)]
        value = getattr(operator, name)(*values)
        tangent = np.zeros(np.shape(value))
        for part, slope in zip((x, y), slopes(*values)):
            if isinstance(part, Dual):
                tangent = tangent + slope * part.tangent
        return Dual(value, tangent)

    setattr(Dual, f"__{name}__", compute)
    setattr(Dual, f"__r{name}__", lambda x, y: compute(y, x))


for _name, _slopes in SLOPES.items():
    install(_name, _slopes)
# %% q2
def entrywise(function, slope):
    return lambda x: Dual(function(x.value), slope(x.value) * x.tangent)


exp, log = entrywise(np.exp, np.exp), entrywise(np.log, lambda x: 1 / x)
sin, tanh = entrywise(np.sin, np.cos), entrywise(np.tanh, lambda x: np.cosh(x) ** -2.0)


def linear(function):
    return lambda x: Dual(function(x.value), function(x.tangent))


total = linear(lambda x: np.einsum("i->", np.ravel(x)))


def matmul(x, y):
    moved = []
    if isinstance(x, Dual):
        moved.append(linear(lambda part: part @ getattr(y, "value", y))(x))
    if isinstance(y, Dual):
        moved.append(linear(lambda part: getattr(x, "value", x) @ part)(y))
    return Dual(moved[0].value, sum(part.tangent for part in moved))
# %% q4
LEVEL = []


def derivative(f, x):
    class Here(Level):
        depth = len(LEVEL) + 1

    LEVEL.append(Here)
    try:
        result = f(Here(x, 1.0))
    finally:
        LEVEL.pop()
    return result.tangent if isinstance(result, Here) else 0.0


class Level:
    depth = 0

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        top, (x, x_dot), (y, y_dot) = lifted(self, other)
        return top(x + y, x_dot + y_dot)

    def __sub__(self, other):
        top, (x, x_dot), (y, y_dot) = lifted(self, other)
        return top(x - y, x_dot - y_dot)

    def __rsub__(self, other):
        return type(self)(other, 0.0) - self

    def __mul__(self, other):
        top, (x, x_dot), (y, y_dot) = lifted(self, other)
        return top(x * y, x * y_dot + x_dot * y)

    __radd__, __rmul__ = __add__, __mul__


def lifted(x, y):
    top = max(type(x), type(y), key=lambda kind: getattr(kind, "depth", 0))
    return top, *((n.value, n.tangent) if type(n) is top else (n, 0.0) for n in (x, y))
