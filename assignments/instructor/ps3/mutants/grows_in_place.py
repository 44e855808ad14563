"""Loses q1: `z = x; z *= x` changes x itself, since *= and += write into the operand."""
# %% q1 after the key
def in_place(operation):
    def method(self, other):
        new = operation(self, other)
        self.value, self.tangent = new.value, new.tangent
        return self

    return method


Dual.__iadd__, Dual.__imul__ = in_place(Dual.__add__), in_place(Dual.__mul__)
