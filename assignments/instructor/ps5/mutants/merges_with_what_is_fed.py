"""Loses q3: an op becomes its fed twin."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {(node.op, frozenset(node.inputs) if node.op in ("add", "mul") else node.inputs, node.value)[: 2 if node.op in ("add", "mul") else 3]: node for node in fed if node.inputs}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)
