"""Loses q1: x * 1.0 and x + 0 give back x, which is no new node."""
# %% q1 after the key
made = apply


def apply(op, *operands):
    if op == "mul" and operands[1:] == (1.0,):
        return operands[0]
    if op == "add" and operands[1:] == (0,):
        return operands[0]
    return made(op, *operands)
