"""Loses q1: the quotient rule divides by y · y, which of large whole numbers leaves 64 bits."""

# %% q1
class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    @staticmethod
    def lift(other):
        """other itself, or a Dual that stands still."""
        return other if isinstance(other, Dual) else Dual(other, 0 * np.asarray(other))

    def __add__(self, other):
        other = Dual.lift(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = Dual.lift(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __mul__(self, other):
        other = Dual.lift(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    def __truediv__(self, other):
        if not isinstance(other, Dual):
            other = Dual.lift(other)
        above = self.tangent * other.value - self.value * other.tangent
        return Dual(self.value / other.value, above / (other.value * other.value))

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Dual.lift(other) - self

    def __rtruediv__(self, other):
        return Dual.lift(other) / self

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __pow__(self, n):
        value = np.asarray(self.value, dtype=float)
        if n == 0:
            return Dual(value**n, np.zeros(value.shape))
        return Dual(value**n, n * value ** (n - 1) * self.tangent)
