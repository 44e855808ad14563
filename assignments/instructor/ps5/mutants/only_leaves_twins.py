"""Loses q3: twins of twins are not found: the inputs before merging are compared."""
# %% q3
def merge(fetches, fed=()):
    """The pass that keeps one of several nodes that always have the same number."""
    first, new = {}, {}
    for node in nodes_of(fetches):
        if node in fed or node.op in ("placeholder", "random"):
            continue
        if node.op == "constant":
            key = "nan" if node.value != node.value else struct.pack("d", node.value)
        elif node.op in ("add", "mul"):
            key = (node.op, frozenset(node.inputs))
        else:
            key = (node.op, node.inputs, node.value)
        new[node] = first.setdefault(key, node)
    old = {node: node for node in nodes_of(fetches)}
    return rebuild(fetches, lambda node: new.get(node, node), fed)
