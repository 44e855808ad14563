"""Loses q3: a value whose gradient is 0 passes nothing on, and what lies below is not even set to
0: after backward(a * a) with a = 3, backward(exp(a) * Value(0.0)) leaves a.grad at 6; it is 0.
"""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen, todo = [], set(), [(root, False)]
    while todo:
        value, ready = todo.pop()
        if ready:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            todo.append((value, True))
            todo.extend((x, False) for x in value.inputs)
    gradients = {id(root): 1.0}
    for value in reversed(order):
        gradient = gradients.get(id(value), 0.0)
        if gradient == 0.0:
            continue
        value.grad = gradient
        for x, slope in zip(value.inputs, slopes(value)):
            gradients[id(x)] = gradients.get(id(x), 0.0) + gradient * slope
    for value in order:
        if id(value) in gradients:
            value.grad = gradients[id(value)]
