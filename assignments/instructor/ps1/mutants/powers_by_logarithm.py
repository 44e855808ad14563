"""Loses q1: powers that are no whole number go through exp(n log x): Value(0.0) ** 0.5 raises a
ValueError, and should be 0.0."""

# %% q1 after the key
power = Value.__pow__


def by_logarithm(x, n):
    z = power(x, n)
    if n != int(n):
        z.data = math.exp(n * math.log(x.data))
    return z


Value.__pow__ = by_logarithm
