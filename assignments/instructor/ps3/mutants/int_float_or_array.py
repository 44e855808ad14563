"""Loses q1: only int, float and ndarray count as plain; NumPy's own whole numbers do not:
Dual(2.0, 1.0) * np.int64(3), or with an entry of np.arange(3), raises AttributeError instead of
giving (6, 3)."""

# %% q1
class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        other = still(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = still(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __mul__(self, other):
        other = still(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    def __truediv__(self, other):
        other = still(other)
        z = self.value / other.value
        return Dual(z, (self.tangent - z * other.tangent) / other.value)

    def __radd__(self, other):
        return still(other) + self

    def __rsub__(self, other):
        return still(other) - self

    def __rmul__(self, other):
        return still(other) * self

    def __rtruediv__(self, other):
        return still(other) / self

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __pow__(self, n):
        slope = n * self.value ** (n - 1) if n else 0.0
        return Dual(self.value**n, slope * self.tangent)


def still(x):
    """x as a Dual: a plain number or array does not move."""
    if isinstance(x, (int, float, np.ndarray)):
        return Dual(x, np.zeros(np.shape(x)))
    return x
