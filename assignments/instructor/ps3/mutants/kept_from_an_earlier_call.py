"""Loses q4: derivative remembers its answers by f and x; the same f at the same x gives the old
slope although what f uses has changed since (a weight in a list), and f is not called."""

# %% q4
import itertools

CALLS = itertools.count()
KNOWN = {}


class Moving:
    """A number that moves for one call of derivative; value and tangent may move for others."""

    def __init__(self, mark, value, tangent):
        self.mark, self.value, self.tangent = mark, value, tangent

    def __add__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x + y, v + w)

    def __mul__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x * y, v * y + x * w)

    def __sub__(self, other):
        mark, x, v, y, w = apart(self, other)
        return Moving(mark, x - y, v - w)

    def __rsub__(self, other):
        return -1.0 * self + other

    __radd__, __rmul__ = __add__, __mul__


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
    if (f, x) not in KNOWN:
        mark = next(CALLS)
        z = f(Moving(mark, x, 1.0))
        own = isinstance(z, Moving) and z.mark == mark
        KNOWN[f, x] = z.tangent if own else 0.0
    return KNOWN[f, x]
