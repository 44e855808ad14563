"""Loses q4: the product rule takes the other factor's bare number, which no longer moves."""
# %% q4
class Owned:
    def __init__(self, value, tangent, owner):
        self.value, self.tangent, self.owner = value, tangent, owner

    def __add__(self, other):
        owner = leader(self, other)
        a, b = seen_by(owner, self), seen_by(owner, other)
        return Owned(a.value + b.value, a.tangent + b.tangent, owner)

    def __mul__(self, other):
        owner = leader(self, other)
        a, b = seen_by(owner, self), seen_by(owner, other)
        return Owned(a.value * b.value,
                     a.tangent * bare(b.value) + bare(a.value) * b.tangent, owner)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __sub__(self, other):
        return self + other * -1.0

    def __rsub__(self, other):
        return other + self * -1.0


def bare(number):
    return bare(number.value) if isinstance(number, Owned) else number


def leader(*numbers):
    return max(number.owner for number in numbers if isinstance(number, Owned))


def seen_by(owner, number):
    if isinstance(number, Owned) and number.owner == owner:
        return number
    return Owned(number, 0.0, owner)


COUNT = itertools.count()


def derivative(f, x):
    owner = next(COUNT)
    return seen_by(owner, f(Owned(x, 1.0, owner))).tangent
