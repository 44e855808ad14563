"""Loses q2: beside an op that raises nothing is folded."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if node.inputs and all(x.op == "constant" and x not in unknown for x in node.inputs):
            return constant(compute(node, [x.value for x in node.inputs]))
        return node

    try:
        return rebuild(fetches, change, unknown)
    except (ArithmeticError, ValueError):
        return list(fetches)
