"""Loses q1: a 0 among the operands is left out."""
# %% q1 after the key
made = apply


def apply(op, *operands):
    return made(op, *(x for x in operands if isinstance(x, Node) or x))
