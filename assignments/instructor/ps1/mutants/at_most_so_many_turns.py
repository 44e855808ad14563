"""Loses q4: The walk ends after 200,010 turns, enough for 100,000 negations: a chain of 100,000
operations with two inputs each has twice as many values, and those at its end get no gradient.
"""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen, stack = [], set(), [(root, False)]
    for _ in range(200_010):
        if not stack:
            break
        v, inputs_done = stack.pop()
        if inputs_done:
            order.append(v)
        elif id(v) not in seen:
            seen.add(id(v))
            stack.append((v, True))
            for x in v.inputs:
                stack.append((x, False))
    order += [v for v, inputs_done in reversed(stack) if inputs_done]
    for v in order:
        v.grad = 0.0
    root.grad = 1.0
    for v in reversed(order):
        for x, slope in zip(v.inputs, slopes(v)):
            x.grad += slope * v.grad
