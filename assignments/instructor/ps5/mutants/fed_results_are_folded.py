"""Loses q2: a fed op is computed all the same."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change)
