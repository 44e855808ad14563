"""Loses q1: a plain number is kept as it is, and is no node."""
# %% q1 after the key
def apply(op, *operands):
    return Node(op, operands)
