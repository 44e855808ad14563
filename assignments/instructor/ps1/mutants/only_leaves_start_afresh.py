"""Loses q3: a second call adds to the first one's gradients in the middle."""
# %% q3
def backward(root):
    ordered = inputs_first(root)
    for value in ordered:
        if not value.inputs:
            value.grad = 0.0
    root.grad = 1.0
    for value in reversed(ordered):
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad


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
