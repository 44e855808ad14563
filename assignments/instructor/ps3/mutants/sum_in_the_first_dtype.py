"""Loses q1: the two parts of a product are added in place, which fails for whole x and broken
speeds of y."""
# %% q1 after the key
def times(self, other):
    other = dual(other)
    tangent = np.array(self.tangent * other.value)
    second = self.value * other.tangent
    if tangent.shape != np.shape(second) or not tangent.shape:
        return Dual(self.value * other.value, tangent + second)
    tangent += second
    return Dual(self.value * other.value, tangent)


Dual.__mul__ = Dual.__rmul__ = times
