"""Loses q3: -1.0 and -2.0 have one hash."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            number = "nan" if math.isnan(node.value) else hash(node.value)
            key = ("constant", number, math.copysign(1.0, node.value))
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)
