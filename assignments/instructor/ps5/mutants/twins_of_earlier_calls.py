"""Loses q3: the twin that it finds is of an earlier call, and fed in this one."""
# %% q3
def merge(fetches, fed=(), first={}):
    """The pass that keeps one of several nodes that always have the same number."""

    def key_of(node):
        if node.op == "constant":
            return "constant", repr(node.value)
        if node.op in ("add", "mul"):
            return node.op, frozenset(node.inputs)
        return node.op, node.inputs

    def change(node):
        if node.op in ("placeholder", "random"):
            return node
        return first.setdefault(key_of(node), node)

    return rebuild(fetches, change, fed)
