"""Loses q3: x + x and x x have the same inputs."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = frozenset(node.inputs)
        else:
            key = (node.op, node.inputs, node.value)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)
