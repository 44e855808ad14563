"""Loses q3: The grads of the last call are forgotten by `grad *= 0`: a gradient that was inf (of x
in (x * x) * (x * x), x = 1e200) is nan when backward is called again."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        v, inputs_done = stack.pop()
        if inputs_done:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            stack.append((v, True))
            for x in v.inputs:
                stack.append((x, False))
    for v in order:
        v.grad *= 0.0
    root.grad = 1.0
    for v in reversed(order):
        for x, slope in zip(v.inputs, slopes(v)):
            x.grad += slope * v.grad
