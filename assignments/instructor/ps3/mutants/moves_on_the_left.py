"""Loses q1: a plain number on the left comes with the tangent 1."""
# %% q1 after the key
Dual.__rmul__ = lambda x, number: Dual(number, 1.0) * x
Dual.__rsub__ = lambda x, number: Dual(number, 1.0) - x
Dual.__rtruediv__ = lambda x, number: Dual(number, 1.0) / x
