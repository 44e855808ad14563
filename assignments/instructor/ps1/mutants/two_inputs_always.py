"""Loses q6: Takes node.inputs for a pair: a Node made with one input and one push (a negation), or
three, raises ValueError."""

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
        if node.inputs:
            (left, right), (push_left, push_right) = node.inputs, node.pushes
            left.grad += push_left(node.grad)
            right.grad += push_right(node.grad)
            users[id(left)] -= 1
            users[id(right)] -= 1
            if users[id(left)] == 0:
                ready.append(left)
            if users[id(right)] == 0 and right is not left:
                ready.append(right)
