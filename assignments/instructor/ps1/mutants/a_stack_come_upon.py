"""Loses q3: the order is the one in which a stack comes upon the values: with b = a * a and
z = (b * b) * b, b passes on before it is complete."""
# %% q3
def backward(root):
    order, seen, stack = [], set(), [root]
    while stack:
        value = stack.pop()
        if value not in seen:
            seen.add(value)
            order.append(value)
            stack.extend(value.inputs)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in order:
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += value.grad * slope
