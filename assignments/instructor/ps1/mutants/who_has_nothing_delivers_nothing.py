"""Loses q6: users are counted, but a node with gradient 0 is passed over before it tells its
inputs that it is done: in (w*w) * Node(0) + w with w = a*a the node w waits for ever, and
a.grad stays 0 instead of 2 a."""

# %% q6
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    users, todo = {root: 0}, [root]
    while todo:
        node = todo.pop()
        node.grad = 0.0
        for source in node.inputs:
            if source not in users:
                users[source] = 0
                todo.append(source)
            users[source] += 1
    root.grad = 1.0
    ready = [root]
    while ready:
        node = ready.pop()
        if node.grad == 0.0:
            continue  # nothing to deliver
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
            users[source] -= 1
            if users[source] == 0:
                ready.append(source)
