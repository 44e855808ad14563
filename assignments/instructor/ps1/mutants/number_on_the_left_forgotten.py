"""Loses q1: 1 + x has one input: the number is no leaf."""
# %% q1 after the key
Value.__radd__ = lambda x, number: Value(number + x.data, "pos", (x,))
