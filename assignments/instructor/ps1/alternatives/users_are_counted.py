"""Full points: both backwards count users (Kahn) and keep shares in a table until the end; grads
are written once, at the very last."""

# %% q3
from collections import Counter, deque


def backward(root):
    """Set .grad of every Value that root was made from."""
    users, met, todo = Counter(), {id(root): root}, deque([root])
    while todo:
        for x in todo.popleft().inputs:
            users[id(x)] += 1
            if id(x) not in met:
                met[id(x)] = x
                todo.append(x)
    total, ready = {id(root): 1.0}, deque([root])
    while ready:
        value = ready.popleft()
        for x, slope in zip(value.inputs, slopes(value)):
            total[id(x)] = total.get(id(x), 0.0) + slope * total[id(value)]
            users[id(x)] -= 1
            if not users[id(x)]:
                ready.append(x)
    for name, value in met.items():
        value.grad = total[name]


# %% q6
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    left, met, todo = {root: 0}, [root], [root]
    while todo:
        for source in todo.pop().inputs:
            if source not in left:
                left[source] = 0
                met.append(source)
                todo.append(source)
            left[source] += 1
    for node in met:
        node.grad = 0.0
    root.grad, ready = 1.0, [root]
    while ready:
        node = ready.pop()
        shares = [push(node.grad) for push in node.pushes]
        for source, share in zip(node.inputs, shares):
            source.grad += share
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)
