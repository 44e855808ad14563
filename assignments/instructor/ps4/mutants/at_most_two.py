"""Loses q1: apply takes one operand or two; apply("sum", x, y, 3) is refused."""
# %% q1 after the key
def apply(op, a, b=None):
    operands = (a,) if b is None else (a, b)
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])
