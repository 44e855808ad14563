"""Loses q3: constants of the same bits stay several."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {}

    def change(node):
        if not node.inputs:
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)
