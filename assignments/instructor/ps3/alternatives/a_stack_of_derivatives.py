"""Full points: numbers know the depth of their derivative; rules with np.add and friends."""
# %% q1
class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = np.asarray(value), np.asarray(tangent)

    def moved_by(self, value, *pairs):
        still = np.zeros_like(value, dtype=float)
        return Dual(value, sum((slope * part.tangent for slope, part in pairs), still))

    def __add__(self, other):
        other = still(other)
        return self.moved_by(self.value + other.value, (1, self), (1, other))

    def __sub__(self, other):
        other = still(other)
        return self.moved_by(self.value - other.value, (1, self), (-1, other))

    def __mul__(self, other):
        other = still(other)
        return self.moved_by(self.value * other.value, (other.value, self), (self.value, other))

    def __truediv__(self, other):
        return self * still(other) ** -1

    def __neg__(self):
        return self.moved_by(-self.value, (-1, self))

    def __pow__(self, n):
        x = self.value.astype(float)
        return self.moved_by(x**n, (n * x ** (n - 1) if n else 0 * x, self))

    def __radd__(self, other):
        return still(other) + self

    def __rsub__(self, other):
        return still(other) - self

    def __rmul__(self, other):
        return still(other) * self

    def __rtruediv__(self, other):
        return still(other) / self


def still(x):
    return x if isinstance(x, Dual) else Dual(x, np.zeros_like(x, dtype=float))
# %% q4
DEPTH = [0]


def derivative(f, x):
    DEPTH[0] += 1
    try:
        mine = Deep(DEPTH[0], x, 1)
        result = f(mine)
    finally:
        DEPTH[0] -= 1
    return result.slope if isinstance(result, Deep) and result.depth == mine.depth else 0


class Deep:
    def __init__(self, depth, number, slope):
        self.depth, self.number, self.slope = depth, number, slope

    def of(self, depth):
        return (self.number, self.slope) if self.depth == depth else (self, 0)

    def __add__(self, other):
        depth, (a, p), (b, q) = together(self, other)
        return Deep(depth, a + b, p + q)

    def __mul__(self, other):
        depth, (a, p), (b, q) = together(self, other)
        return Deep(depth, a * b, p * b + q * a)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + -1 * (other if isinstance(other, Deep) else Deep(self.depth, other, 0))

    def __rsub__(self, other):
        return -1 * self + other


def together(x, y):
    depth = max(n.depth for n in (x, y) if isinstance(n, Deep))
    return depth, *(n.of(depth) if isinstance(n, Deep) else (n, 0) for n in (x, y))
