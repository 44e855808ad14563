"""Loses q2: what an earlier call has folded stays folded, whatever is fed now."""
# %% q2
def fold(fetches, fed=(), known={}):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if node in known:
            return known[node]
        sure = all(x.op == "constant" and x not in unknown for x in node.inputs)
        if not node.inputs or not sure:
            return node
        try:
            return known.setdefault(node, constant(compute(node, [x.value for x in node.inputs])))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, unknown)
