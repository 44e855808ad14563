"""Loses q6: each push is called twice, once to look whether it works."""
# %% q6
def mended_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(ordered):
        for source, push in zip(node.inputs, node.pushes):
            if push(0.0) is not None:
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
