"""Loses q3: two Values with the same op and the same inputs count as one: p = a * a, q = a * a, z
= p * q: p and q should have 9 each at a = 3; here one has 18 and the other 0."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    first = {}  # what a Value is, in short -> the Value

    def known(value):
        if not value.inputs:
            return value
        short = value.op, value.data, tuple(id(x) for x in value.inputs)
        return first.setdefault(short, value)

    order, seen, todo = [], set(), [(root, False)]
    while todo:
        value, ready = todo.pop()
        value = known(value)
        if ready:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            todo.append((value, True))
            todo.extend((x, False) for x in value.inputs)
    for value in order:
        value.grad = 0.0
        for x in value.inputs:
            x.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for x, slope in zip(value.inputs, slopes(value)):
            known(x).grad += value.grad * slope
