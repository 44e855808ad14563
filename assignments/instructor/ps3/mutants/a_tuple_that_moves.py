"""Loses q4: the moving number is a named tuple, and a number of NumPy's on its left multiplies each
of its entries."""
# %% q4 after the key
import collections


class Moving(collections.namedtuple("Moving", "value tangent owner")):
    def __add__(self, other):
        owner = max(owner_of(self), owner_of(other))
        (a, a_dot), (b, b_dot) = parts(self, owner), parts(other, owner)
        return Moving(a + b, a_dot + b_dot, owner)

    def __mul__(self, other):
        owner = max(owner_of(self), owner_of(other))
        (a, a_dot), (b, b_dot) = parts(self, owner), parts(other, owner)
        return Moving(a * b, a_dot * b + a * b_dot, owner)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return self * -1.0 + other
