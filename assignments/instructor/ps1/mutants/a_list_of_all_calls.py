"""Loses q6: The order is a default argument that lives on: a second root's call sets the grads of
the first root's own nodes to 0 and calls their pushes again, and every call takes longer."""

# %% q6
def mended_backward(root, order=[], seen=set()):
    """Set .grad of every Node that root was made from, each node delivering once."""
    stack = [(root, False)]
    while stack:
        node, inputs_done = stack.pop()
        if inputs_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((source, False) for source in node.inputs)
    for node in order:
        node.grad = 0.0
    root.grad = 1.0
    for node in reversed(order):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
