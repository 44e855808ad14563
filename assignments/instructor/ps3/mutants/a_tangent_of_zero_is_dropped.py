"""Loses q4: a number whose tangent is 0 just now is made a constant, even where that 0 moves for
an outer call: ∂/∂x (∂/∂y (x y)) at x = 0, y = 2 is 1, and comes as 0."""

# %% q4
import itertools

CALLS = itertools.count()


class Moving:
    """A number that moves for one call of derivative; value and tangent may move for others."""

    def __init__(self, mark, value, tangent):
        self.mark, self.value, self.tangent = mark, value, tangent

    def __add__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x + y, v + w)

    def __mul__(self, other):
        mark, x, v, y, w = apart(self, other)
        return tidy(Moving(mark, x * y, v * y + x * w))

    def __sub__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x - y, v - w)

    def __rsub__(self, other):
        return -1.0 * self + other

    __radd__, __rmul__ = __add__, __mul__


def number(x):
    """The plain number inside."""
    while isinstance(x, Moving):
        x = x.value
    return x


def tidy(z):
    """z, or its value alone when it stands still."""
    return z.value if number(z.tangent) == 0 else z


def apart(x, y):
    """The later mark, and value and tangent of both for it."""
    mark = max(z.mark for z in (x, y) if isinstance(z, Moving))
    found = [mark]
    for z in (x, y):
        mine = isinstance(z, Moving) and z.mark == mark
        found += [z.value, z.tangent] if mine else [z, 0.0]
    return found


def derivative(f, x):
    """The slope of f at x, also inside another derivative."""
    mark = next(CALLS)
    z = f(Moving(mark, x, 1.0))
    return z.tangent if isinstance(z, Moving) and z.mark == mark else 0.0
