"""Loses q2: the pass raises what the run should raise."""
# %% q2
def fold(fetches, fed=()):
    """The pass that computes what only constants decide."""
    unknown = set(fed)

    def change(node):
        if not node.inputs or any(x.op != "constant" or x in unknown for x in node.inputs):
            return node
        return constant(compute(node, [x.value for x in node.inputs]))

    return rebuild(fetches, change, fed)
