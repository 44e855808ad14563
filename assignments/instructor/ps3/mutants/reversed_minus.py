"""Loses q1: 1 - x is computed as x - 1."""
# %% q1 after the key
Dual.__rsub__ = Dual.__sub__
