"""Loses q2: a constant with the number of a fed one counts as fed."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = {x.value for x in fed if x.op == "constant"}

    def change(node):
        if not node.inputs:
            return node
        for x in node.inputs:
            if x.op != "constant" or x.value in unknown or x in fed:
                return node
        try:
            return constant(compute(node, [x.value for x in node.inputs]))
        except (ArithmeticError, ValueError):
            return node

    return rebuild(fetches, change, fed)
