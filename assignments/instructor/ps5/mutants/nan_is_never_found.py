"""Loses q3: NaN is not equal to NaN."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = (node.value, math.copysign(1, node.value), node.value == node.value or node)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)
