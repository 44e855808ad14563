"""Loses q3: backward has rules of its own instead of slopes, and none for powers and functions:
what lies below exp(x) gets nothing, and nothing is said."""

# %% q3
RULES = {
    "add": lambda a, b: (1, 1),
    "sub": lambda a, b: (1, -1),
    "mul": lambda a, b: (b, a),
    "div": lambda a, b: (1 / b, -a / b**2),
    "neg": lambda a: (-1,),
}


def backward(root):
    """Set .grad of every Value that root was made from."""
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        if value.op in RULES:
            numbers = [source.data for source in value.inputs]
            for source, slope in zip(value.inputs, RULES[value.op](*numbers)):
                source.grad += slope * value.grad
