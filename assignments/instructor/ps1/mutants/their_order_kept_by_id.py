"""Loses q6: the order is kept by id(root), without keeping root: a new root gets the id of a dead
one, and its order."""

# %% q6
ORDERS = {}


def below(root):
    ordered, seen, stack = [], {root}, [(root, iter(root.inputs))]
    while stack:
        node, rest = stack[-1]
        source = next((source for source in rest if source not in seen), None)
        if source is None:
            ordered.append(stack.pop()[0])
        else:
            seen.add(source)
            stack.append((source, iter(source.inputs)))
    return ordered[:-1]


def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    if id(root) not in ORDERS:
        ORDERS[id(root)] = below(root)
    ordered = [*ORDERS[id(root)], root]
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
