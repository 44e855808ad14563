"""Loses q1: x ** 0 is no special case: at x = 0 its tangent is 0 · 0 ** -1, an error for a number
and nan in an array, where 0 is right."""
# %% q1 after the key
def power(self, n):
    return Dual(self.value**n, n * self.value ** (n - 1) * self.tangent)


Dual.__pow__ = power
