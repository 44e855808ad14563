"""Loses q1: array * x writes the product into the plain array."""
# %% q1 after the key
def left_factor(self, other):
    if not isinstance(other, np.ndarray) or other.shape != np.shape(self.value):
        return self * other
    tangent = other * self.tangent
    if other.dtype != np.result_type(other, self.value):
        return Dual(other * self.value, tangent)
    other *= self.value
    return Dual(other, tangent)


Dual.__rmul__ = left_factor
