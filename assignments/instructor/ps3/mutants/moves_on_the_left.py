"""Loses q1: a plain number on the left comes with the tangent 1."""
# %% q1
class Dual:
    __array_ufunc__ = None

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        other = dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = dual(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __mul__(self, other):
        other = dual(other)
        return Dual(self.value * other.value,
                    self.tangent * other.value + self.value * other.tangent)

    def __truediv__(self, other):
        other = dual(other)
        x, v, y, w = self.value, self.tangent, other.value, other.tangent
        return Dual(x / y, (v * y - x * w) / (y * y))

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __pow__(self, n):
        return Dual(self.value**n, n * self.value ** (n - 1) * self.tangent)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return Dual(other, 1.0) * self

    def __rsub__(self, other):
        return Dual(other, 1.0) - self

    def __rtruediv__(self, other):
        return Dual(other, 1.0) / self


def dual(x):
    return x if isinstance(x, Dual) else Dual(x, 0.0 * np.asarray(x))
