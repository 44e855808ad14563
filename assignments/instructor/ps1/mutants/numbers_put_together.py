"""Loses q1: (x + 1) + 2 is made x + 3, to keep graphs small: the Value x + 1 is no input."""

# %% q1 after the key
plus = Value.__add__


def add(self, other):
    if not isinstance(other, Value) and self.op == "add" and hasattr(self, "plain"):
        self, other = self.inputs[0], self.plain + other
    z = plus(self, other)
    if not isinstance(other, Value):
        z.plain = other
    return z


Value.__add__ = add
