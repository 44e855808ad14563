"""Loses q4: a loop follows the first input that is no leaf, and only the other one is a recursive
call: the chain h = x * u + h * w, 100,000 times, lies in the second input, and ends in a
RecursionError."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    order, seen = [], set()

    def visit(value):
        path = []
        while value is not None and id(value) not in seen:
            seen.add(id(value))
            path.append(value)
            inner = []
            for x in value.inputs:
                if x.inputs:
                    inner.append(x)
                elif id(x) not in seen:
                    seen.add(id(x))
                    order.append(x)
            for x in inner[1:]:
                visit(x)
            value = inner[0] if inner else None
        order.extend(reversed(path))

    visit(root)
    for value in order:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(order):
        for x, slope in zip(value.inputs, slopes(value)):
            x.grad += value.grad * slope
