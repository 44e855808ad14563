"""Loses q1: the slope of x ** n as n xⁿ / x, which is 0 / 0 at 0."""
# %% q1 after the key
Dual.__pow__ = lambda x, n: Dual(x.value**n, n * x.value**n / x.value * x.tangent)
