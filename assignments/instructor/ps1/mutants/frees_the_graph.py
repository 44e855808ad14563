"""Loses q3: the graph is taken apart on the way, so a second call finds none."""
# %% q3
def backward(root):
    ordered = inputs_first(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
        value.inputs = ()


def inputs_first(root):
    ordered, seen, stack = [], set(), [(root, False)]
    while stack:
        value, inputs_done = stack.pop()
        if inputs_done:
            ordered.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((source, False) for source in value.inputs)
    return ordered
