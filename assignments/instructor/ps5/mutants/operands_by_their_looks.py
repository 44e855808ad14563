"""Loses q3: of two minuses nobody knows which comes first: a + b and b + a stay two."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first = {}

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
            return first.setdefault(("constant", key), node)
        inputs = list(node.inputs)
        if node.op in ("add", "mul"):
            inputs.sort(key=lambda x: (x.op, str(x.name), str(x.value)))
        return first.setdefault((node.op, *inputs), node)

    return rebuild(fetches, change, fed)
