"""Loses q2: a constant becomes another one: nothing was to be done."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        known = all(x.op == "constant" and x not in unknown for x in node.inputs)
        if node.op == "constant":
            return constant(node.value)
        if not node.inputs or not known:
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, unknown)
