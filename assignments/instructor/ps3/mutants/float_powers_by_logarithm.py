"""Loses q1: only an int n is whole, all else goes by the logarithm: (-2) ** 3.0 is nan."""
# %% q1 after the key
def power(self, n):
    if isinstance(n, int) or not n:
        return by_rule(self, n)
    value, slope = (np.exp(m * np.log(self.value)) for m in (n, n - 1))
    return Dual(value, n * slope * self.tangent)


by_rule, Dual.__pow__ = Dual.__pow__, power
