"""Loses q3: leaves that hold the same number are taken for one."""
# %% q3
def backward(root):
    ordered = inputs_first(root)
    grads = {}
    grads[name(root)] = 1.0
    for value in reversed(ordered):
        value.grad = grads.get(name(value), 0.0)
        for source, slope in zip(value.inputs, slopes(value)):
            grads[name(source)] = grads.get(name(source), 0.0) + slope * value.grad
    for value in ordered:
        value.grad = grads.get(name(value), 0.0)


def name(value):
    return id(value) if value.inputs else value.data


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
