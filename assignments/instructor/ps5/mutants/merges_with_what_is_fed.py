"""Loses q3: an op becomes its fed twin."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {}

    def key_of(node):
        if node.op == "constant":
            return "nan" if node.value != node.value else struct.pack("d", node.value)
        if node.op in ("add", "mul"):
            return node.op, frozenset(node.inputs)
        return node.op, node.inputs, node.value

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        return first.setdefault(key_of(node), node)

    for node in fed:
        if node.inputs:
            first[key_of(node)] = node
    return rebuild(fetches, change, fed)
