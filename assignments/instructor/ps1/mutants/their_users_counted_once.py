"""Loses q6: each user is counted once, but each use struck off: a node that one user has used
twice delivers before the other users have."""

# %% q6
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    users, found = {root: set()}, [root]
    for node in found:
        for source in node.inputs:
            if source not in users:
                users[source] = set()
                found.append(source)
            users[source].add(node)
    left = {node: len(users[node]) for node in found}
    for node in found:
        node.grad = 0.0
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)
