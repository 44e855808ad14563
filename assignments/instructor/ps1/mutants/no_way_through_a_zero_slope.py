"""Loses q3: an input with slope 0 is not visited, since nothing comes through: it keeps the grad
of an earlier call."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, done, todo = [], set(), [root]
    ways = {}
    while todo:
        v = todo[-1]
        if v in done:
            todo.pop()
            continue
        if v not in ways:
            ways[v] = [(i, s) for i, s in zip(v.inputs, slopes(v)) if s]
            todo.extend(i for i, s in ways[v] if i not in done)
        else:
            order.append(v)
            done.add(v)
            todo.pop()
    for v in order:
        v.grad = 0.0
    root.grad = 1.0
    while order:
        v = order.pop()
        for i, s in ways[v]:
            i.grad += s * v.grad
