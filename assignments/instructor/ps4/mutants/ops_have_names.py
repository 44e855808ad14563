"""Loses q1: every op gets a name, as add_3; names are for placeholders."""
# %% q1 after the key
MADE = []


def apply(op, *operands, apply=apply):
    MADE.append(op)
    z = apply(op, *operands)
    z.name = f"{op}_{len(MADE)}"
    return z
