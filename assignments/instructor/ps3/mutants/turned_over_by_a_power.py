"""Loses q1: x / y is x * y ** -1, and NumPy has no power -1 of whole numbers: 1 / Dual([1, 2], …)
raises."""
# %% q1 after the key
def quotient(self, other):
    return self * (other**-1 if isinstance(other, Dual) else 1 / other)


Dual.__truediv__ = quotient
Dual.__rtruediv__ = lambda self, other: other * self**-1
