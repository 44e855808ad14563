"""Loses q3: each node of the caller gets an attribute."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            node.key = node
        elif node.op == "constant":
            node.key = repr(node.value)
        elif node.op in ("add", "mul"):
            node.key = (node.op, frozenset(node.inputs))
        else:
            node.key = (node.op, node.inputs)
        return first.setdefault(node.key, node)

    return rebuild(fetches, change, fed)
