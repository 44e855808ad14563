"""Loses q1: works out what is constant at once, where log(0) goes wrong."""
# %% q1 after the key
def apply(op, *operands):
    nodes = [x if isinstance(x, Node) else constant(x) for x in operands]
    if all(x.op == "constant" for x in nodes):
        return constant(COMPUTE[op](*(x.value for x in nodes)))
    return Node(op, nodes)
