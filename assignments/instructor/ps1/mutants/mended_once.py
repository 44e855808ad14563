"""Loses q6: right the first time; a second call adds to the inner gradients of the first."""
# %% q6
def mended_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        if not node.inputs or not hasattr(node, "met"):
            node.grad, node.met = 0.0, True
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)


def nodes_inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    return ordered
