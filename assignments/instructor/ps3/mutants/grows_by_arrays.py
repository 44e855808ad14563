"""Loses q1: `z = x; z *= array` writes into x's own arrays."""
# %% q1 after the key
def grown(operation):
    def method(self, other):
        new = operation(self, other)
        if not isinstance(other, np.ndarray) or np.shape(new.value) != np.shape(self.value):
            return new
        self.value[...], self.tangent[...] = new.value, new.tangent
        return self

    return method


Dual.__imul__, Dual.__iadd__ = grown(Dual.__mul__), grown(Dual.__add__)
