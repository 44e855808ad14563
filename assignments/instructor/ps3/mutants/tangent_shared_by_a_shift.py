"""Loses q1: x + 2.0 keeps x's own array of speeds, and z *= 2.0 multiplies in place: after z = x,
z += 2.0 and z *= 2.0, x moves twice as fast."""
# %% q1 after the key
def plus(self, other):
    if isinstance(other, Dual) or np.ndim(other):
        return moved_sum(self, other)
    return Dual(self.value + other, self.tangent)


def times_in_place(self, other):
    if isinstance(other, Dual) or np.ndim(other) or np.ndim(self.value) == 0:
        return self * other
    tangent = self.tangent
    tangent *= other
    return Dual(self.value * other, tangent)


moved_sum = Dual.__add__
Dual.__add__ = Dual.__radd__ = plus
Dual.__imul__ = times_in_place
