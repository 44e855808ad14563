"""Loses q5: the order below each root is kept for later calls, in a list that is looked through:
the lines grow with what was asked before."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    asked = backward.__dict__.setdefault("asked", [])
    order = None
    for old, found in asked:
        if old is root:
            order = found
    if order is None:
        order, seen, stack = [], set(), [(root, False)]
        asked.append((root, order))
        while stack:
            value, ready = stack.pop()
            if ready:
                order.append(value)
            elif value not in seen:
                seen.add(value)
                stack.append((value, True))
                stack.extend((x, False) for x in value.inputs)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for x, slope in zip(value.inputs, slopes(value)):
            x.grad += slope * value.grad
