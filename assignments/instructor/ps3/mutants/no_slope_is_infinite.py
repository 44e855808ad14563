"""Loses q1: at x = 0 the slope of x ** n is 1 for n = 1, else 0; of x ** 0.5 and x ** -1 it is
infinite."""
# %% q1 after the key
def power(self, n):
    at_zero = np.asarray(self.value) == 0
    base = np.where(at_zero, 1.0, self.value)
    slope = np.where(at_zero, 1.0 if n == 1 else 0.0, n * base ** (n - 1))
    return Dual(self.value**n, (slope * self.tangent)[()])


Dual.__pow__ = power
