"""Loses q2: what stands on a folded node does not fold."""
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

    known = {n for n in nodes_of(fetches) if n.op == "constant"}
    lowest = change

    def change(node):
        return lowest(node) if all(x in known for x in node.inputs) else node

    return rebuild(fetches, change, fed)
