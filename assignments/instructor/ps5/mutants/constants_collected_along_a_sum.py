"""Loses q2: (x + 1) + 1 becomes x + 2, which at x = 1e16 has other bits."""

# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def known(x):
        return x.op == "constant" and x not in unknown

    def change(node):
        if node.op in ("add", "mul") and known(node.inputs[1]):
            inner, last = node.inputs
            if inner.op == node.op and inner not in unknown and known(inner.inputs[1]):
                together = COMPUTE[node.op](inner.inputs[1].value, last.value)
                return Node(node.op, (inner.inputs[0], constant(together)))
        if node.inputs and all(known(x) for x in node.inputs):
            try:
                return constant(COMPUTE[node.op](*(x.value for x in node.inputs)))
            except (ArithmeticError, ValueError):
                pass
        return node

    return rebuild(fetches, change, fed)
