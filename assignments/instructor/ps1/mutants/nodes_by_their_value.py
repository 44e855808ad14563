"""Loses q6: nodes that hold the same number are taken for one."""
# %% q6
def mended_backward(root):
    ordered = nodes_inputs_first(root)
    for node in ordered:
        node.grad = 0.0
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
        elif node.value not in seen:
            seen.add(node.value)
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    return ordered
