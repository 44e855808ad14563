"""Loses q2: 0 times x is not folded by right: x may be NaN."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        known = [x.value for x in node.inputs if x.op == "constant" and x not in unknown]
        if node.op == "mul" and 0.0 in known:
            return constant(0.0)
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)
