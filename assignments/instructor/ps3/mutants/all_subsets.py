"""Loses q4: every number has a coefficient for each set of open derivatives, needed or not: 18
deep takes minutes, and more memory at each level."""

# %% q4
DEPTH = [0]


class Jet:
    """A coefficient for each set of the derivatives that are open: 2 ** depth of them."""

    __array_ufunc__ = None

    def __init__(self, numbers):
        self.numbers = numbers

    def __add__(self, other):
        return Jet([a + b for a, b in zip(self.numbers, widen(other))])

    def __sub__(self, other):
        return Jet([a - b for a, b in zip(self.numbers, widen(other))])

    def __rsub__(self, other):
        return Jet(widen(other)) - self

    def __mul__(self, other):
        return Jet(product(self.numbers, widen(other)))

    __radd__, __rmul__ = __add__, __mul__


def product(a, b):
    if len(a) == 1:
        return [a[0] * b[0]]
    half = len(a) // 2
    low = product(a[:half], b[:half])
    high = [s + t for s, t in zip(product(a[:half], b[half:]), product(a[half:], b[:half]))]
    return low + high


def widen(x):
    numbers = list(x.numbers) if isinstance(x, Jet) else [x]
    return numbers + [0.0] * (2 ** DEPTH[0] - len(numbers))


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    half = 2 ** DEPTH[0]
    below = widen(x)
    DEPTH[0] += 1
    try:
        result = widen(f(Open(below + [1.0] + [0.0] * (half - 1))))
    finally:
        DEPTH[0] -= 1
    slope = result[half:]
    return Open(slope) if half > 1 else slope[0]


class Open(Jet):
    """A Jet that may be shorter than the depth asks for."""

    def __add__(self, other):
        return Open([a + b for a, b in zip(widen(self), widen(other))])

    def __sub__(self, other):
        return Open([a - b for a, b in zip(widen(self), widen(other))])

    def __rsub__(self, other):
        return Open([a - b for a, b in zip(widen(other), widen(self))])

    def __mul__(self, other):
        return Open(product(widen(self), widen(other)))

    __radd__, __rmul__ = __add__, __mul__
