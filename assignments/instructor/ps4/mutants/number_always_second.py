"""Loses q1: puts a plain number behind the node: 1 - x is x - 1."""
# %% q1 after the key
def apply(op, *operands):
    operands = sorted(operands, key=lambda x: not isinstance(x, Node))
    return Node(op, [x if isinstance(x, Node) else constant(x) for x in operands])
