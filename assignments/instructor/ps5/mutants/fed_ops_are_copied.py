"""Loses q2: what a fed op stands on is folded, and a copy takes its place."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if node in unknown:
            return node
        known = all(x.op == "constant" and x not in unknown for x in node.inputs)
        if not node.inputs or not known:
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change)
