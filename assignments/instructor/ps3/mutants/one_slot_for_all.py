"""Loses q4: perturbation confusion: one slot holds the speeds of all derivatives."""
# %% q4
class Slot:
    def __init__(self, value, tangent=0.0):
        self.value, self.tangent = value, tangent

    def __add__(self, other):
        other = slot(other)
        return Slot(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other):
        other = slot(other)
        return Slot(self.value * other.value,
                    self.tangent * other.value + self.value * other.tangent)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return other + self * -1.0


def slot(x):
    return x if isinstance(x, Slot) else Slot(x)


def derivative(f, x):
    return slot(f(Slot(x, 1.0))).tangent
