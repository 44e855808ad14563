"""Loses q4: small steps in fractions, exact to fifty digits, and two calls of f."""
# %% q4
from fractions import Fraction

STEPS = []


def derivative(f, x):
    step = Fraction(1, 10 ** (60 - 15 * len(STEPS)))
    x = x if isinstance(x, Exact) else Exact(Fraction(x))
    STEPS.append(step)
    try:
        ahead, back = (exact(f(x + Exact(move))) for move in (step, -step))
    finally:
        STEPS.pop()
    slope = Exact((ahead.number - back.number) / (2 * step))
    return slope if STEPS else float(slope.number)


def exact(x):
    return x if isinstance(x, Exact) else Exact(Fraction(x))


class Exact:
    def __init__(self, number):
        self.number = number

    def __add__(self, other):
        return Exact(self.number + exact(other).number)

    def __mul__(self, other):
        return Exact(self.number * exact(other).number)

    def __sub__(self, other):
        return Exact(self.number - exact(other).number)

    def __rsub__(self, other):
        return exact(other) - self

    __radd__, __rmul__ = __add__, __mul__
