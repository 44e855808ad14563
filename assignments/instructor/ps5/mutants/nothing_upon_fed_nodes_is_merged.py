"""Loses q3: ops that use a fed node are left alone: with f fed, -f and -f stay two."""

# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first, unknown = {}, set(fed)

    def change(node):
        if node.op == "constant":
            bits = "nan" if math.isnan(node.value) else struct.pack("d", node.value)
            key = ("constant", bits)
        elif not node.inputs or any(x in unknown for x in node.inputs):
            return node
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs)
        return first.setdefault(key, node)

    return rebuild(fetches, change, fed)
