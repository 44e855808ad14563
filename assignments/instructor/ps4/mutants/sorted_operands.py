"""Loses q1: operands of add and mul are sorted by their names: y + x is x + y."""
# %% q1 after the key
def apply(op, *operands, apply=apply):
    if op in ("add", "mul") and all(getattr(x, "name", None) for x in operands):
        operands = sorted(operands, key=lambda x: x.name)
    return apply(op, *operands)
