"""Full points: derivative with numbers that have a part for each set of marks (no order of calls
is needed); Dual's operators from a table of partial slopes."""

# %% q1
import operator


class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __neg__(self):
        return self * -1

    def __pow__(self, n):
        slope = 0 if n == 0 else n * self.value ** (n - 1)
        return Dual(self.value**n, slope * self.tangent)


SLOPES = {
    "add": lambda x, y: (1, 1),
    "sub": lambda x, y: (1, -1),
    "mul": lambda x, y: (y, x),
    "truediv": lambda x, y: (1 / y, -x / y / y),
}


def _combine(name, x, y):
    a, v = (x.value, x.tangent) if isinstance(x, Dual) else (x, 0)
    b, w = (y.value, y.tangent) if isinstance(y, Dual) else (y, 0)
    value = getattr(operator, name)(a, b)
    by_x, by_y = SLOPES[name](a, b)
    return Dual(value, np.zeros(np.shape(value)) + by_x * v + by_y * w)


for _name in SLOPES:
    setattr(Dual, f"__{_name}__", lambda x, y, name=_name: _combine(name, x, y))
    setattr(Dual, f"__r{_name}__", lambda y, x, name=_name: _combine(name, x, y))


# %% q4
class Parts:
    """A number that moves for several derivatives: a set of marks -> what it is multiplied with."""

    def __init__(self, parts):
        self.parts = parts

    def __add__(self, other):
        parts = dict(self.parts)
        for marks, part in as_parts(other).items():
            parts[marks] = parts.get(marks, 0.0) + part
        return Parts(parts)

    def __mul__(self, other):
        parts = {}
        for a, x in self.parts.items():
            for b, y in as_parts(other).items():
                if not a & b:
                    parts[a | b] = parts.get(a | b, 0.0) + x * y
        return Parts(parts)

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + Parts(as_parts(other)) * -1.0

    def __rsub__(self, other):
        return -self + other

    __radd__, __rmul__ = __add__, __mul__


def as_parts(x):
    """The parts of x; a plain number has one, without any mark."""
    return x.parts if isinstance(x, Parts) else {frozenset(): x}


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    mark = object()
    came = as_parts(f(Parts(as_parts(x)) + Parts({frozenset([mark]): 1.0})))
    parts = {marks - {mark}: part for marks, part in came.items() if mark in marks}
    if set(parts) <= {frozenset()}:
        return parts.get(frozenset(), 0.0)
    return Parts(parts)
