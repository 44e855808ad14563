"""Loses q4: `z = x; z *= x` changes the variable x itself."""
# %% q4 after the key
def grown(operation):
    def method(self, other):
        new = operation(self, other)
        self.value, self.tangent, self.owner = new.value, new.tangent, new.owner
        return self

    return method


Moving.__iadd__, Moving.__imul__ = grown(Moving.__add__), grown(Moving.__mul__)
