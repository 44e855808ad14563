"""Loses q1: a number that meets an array is stretched to it in the operand itself."""
# %% q1
class Dual:
    """A value that moves, and its tangent: how fast."""

    __array_ufunc__ = None  # so that NumPy leaves `array * dual` to us

    def __init__(self, value, tangent):
        self.value, self.tangent = value, tangent

    def fit(self, other):
        """other as a Dual; both get one shape, so that the rules need not think of it."""
        if not isinstance(other, Dual):
            other = Dual(other, np.zeros(np.shape(other)))
        shape = np.broadcast_shapes(np.shape(self.value), np.shape(other.value))
        for dual in (self, other):
            if np.shape(dual.value) != shape:
                dual.value = np.array(np.broadcast_to(dual.value, shape))
                dual.tangent = np.array(np.broadcast_to(dual.tangent, shape))
        return other

    def __add__(self, other):
        other = self.fit(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __sub__(self, other):
        other = self.fit(other)
        return Dual(self.value - other.value, self.tangent - other.tangent)

    def __rsub__(self, other):
        return self.fit(other) - self

    def __mul__(self, other):
        other = self.fit(other)
        tangent = self.tangent * other.value + self.value * other.tangent
        return Dual(self.value * other.value, tangent)

    def __truediv__(self, other):
        other = self.fit(other)
        value = self.value / other.value
        return Dual(value, (self.tangent - value * other.tangent) / other.value)

    def __rtruediv__(self, other):
        return self.fit(other) / self

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __pow__(self, n):
        if n == 0:
            return Dual(self.value**0, np.zeros(np.shape(self.value)))
        return Dual(self.value**n, n * self.value ** (n - 1) * self.tangent)

    __radd__, __rmul__ = __add__, __mul__
