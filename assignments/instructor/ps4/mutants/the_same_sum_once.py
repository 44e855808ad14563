"""Loses q1: an operation that was written before is the same node again."""
# %% q1 after the key
made, KNOWN = apply, {}


def apply(op, *operands):
    return KNOWN.setdefault((op, *operands), made(op, *operands))
