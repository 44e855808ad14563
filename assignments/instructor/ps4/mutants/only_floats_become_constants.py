"""Loses q1: a whole number stays a number."""
# %% q1 after the key
def apply(op, *operands):
    return Node(op, [constant(x) if isinstance(x, float) else x for x in operands])
