"""Loses q1: x ** 0 is 1, so a leaf that holds 1.0 comes back, made from nothing."""

# %% q1 after the key
power = Value.__pow__
Value.__pow__ = lambda self, n: power(self, n) if n else Value(1.0)
