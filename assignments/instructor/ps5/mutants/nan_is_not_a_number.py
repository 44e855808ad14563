"""Loses q2: NaN is a result like any other."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            value = compute(node, [x.value for x in node.inputs])
            return constant(value) if value == value else node
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)
