"""Loses q1: x ** 1 gives back x, which is no new Value."""
# %% q1 after the key
power = Value.__pow__
Value.__pow__ = lambda x, n: x if n == 1 else power(x, n)
