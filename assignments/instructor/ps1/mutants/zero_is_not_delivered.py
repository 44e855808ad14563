"""Loses q6: A node whose gradient is 0 does not call its pushes, since 0 changes nothing: each
node's pushes are to be called once, and one below a factor 0 is called never."""

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
            if node.grad != 0:
                source.grad += push(node.grad)
            users[id(source)] -= 1
            if users[id(source)] == 0:
                ready.append(source)
