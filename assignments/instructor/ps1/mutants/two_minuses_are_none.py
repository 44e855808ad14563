"""Loses q1: -(-x) gives back x, which is no new Value."""

# %% q1 after the key
minus = Value.__neg__
Value.__neg__ = lambda self: self.inputs[0] if self.op == "neg" else minus(self)
