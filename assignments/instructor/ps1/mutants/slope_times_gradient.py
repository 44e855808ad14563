"""Loses q6: Calls push(1.0) for the slope and multiplies: a push is given a 1 and not the node's
own gradient, so one that limits what passes (max(-1, min(1, g))) limits nothing."""

# %% q6
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    users, found = {id(root): 0}, [root]
    for node in found:
        node.grad = 0.0
        for source in node.inputs:
            if id(source) not in users:
                users[id(source)] = 0
                found.append(source)
            users[id(source)] += 1
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(1.0) * node.grad
            users[id(source)] -= 1
            if users[id(source)] == 0:
                ready.append(source)
