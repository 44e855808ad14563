"""Loses q1: the slope of x**n is n * x**n / x, which is infinite at 1e200 for n = 2 (2e200 is
right)."""
# %% q1 after the key
exactly = Dual.__pow__


def power(self, n):
    if not np.all(self.value):
        return exactly(self, n)
    value = self.value**n
    return Dual(value, n * value / self.value * self.tangent)


Dual.__pow__ = power
