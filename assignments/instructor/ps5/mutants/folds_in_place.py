"""Loses q2: the old node itself becomes the constant."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            node.value = compute(node, [x.value for x in node.inputs])
            node.op, node.inputs = "constant", ()
            return node
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)
