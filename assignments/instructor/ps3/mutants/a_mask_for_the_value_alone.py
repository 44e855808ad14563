"""Loses q1: x * mask, an array of bools, picks entries of the value; all of them go on moving."""
# %% q1 after the key
def picked(self, other):
    if getattr(other, "dtype", None) == bool:
        return Dual(np.where(other, self.value, 0.0), self.tangent)
    return multiplied(self, other)


multiplied = Dual.__mul__
Dual.__mul__ = Dual.__rmul__ = picked
