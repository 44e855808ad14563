"""Loses q6: a root that was made from nothing gets no gradient."""
# %% q6
def mended_backward(root):
    if not root.inputs:
        return
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
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    return ordered
