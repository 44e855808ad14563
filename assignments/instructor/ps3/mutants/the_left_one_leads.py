"""Loses q4: where two owners meet, the left one leads: right for w · c, not for c · w."""
# %% q4
class Own:
    def __init__(self, value, tangent, owner):
        self.value, self.tangent, self.owner = value, tangent, owner

    def parts(self, other):
        mine = isinstance(other, Own) and other.owner is self.owner
        return (other.value, other.tangent) if mine else (other, 0.0)

    def __add__(self, other):
        value, tangent = self.parts(other)
        return Own(self.value + value, self.tangent + tangent, self.owner)

    def __mul__(self, other):
        value, tangent = self.parts(other)
        return Own(self.value * value, self.tangent * value + self.value * tangent, self.owner)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return other + self * -1.0


def derivative(f, x):
    me = object()
    result = f(Own(x, 1.0, me))
    return result.tangent if isinstance(result, Own) and result.owner is me else 0.0
