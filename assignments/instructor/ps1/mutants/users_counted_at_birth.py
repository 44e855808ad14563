"""Loses q3: waits for users that the root was not made from."""
# %% q3
USERS = {}
born = Value.__init__


def remember(self, data, op=None, inputs=()):
    born(self, data, op, inputs)
    USERS[self] = 0
    for source in inputs:
        USERS[source] += 1


Value.__init__ = remember


def backward(root):
    ordered = inputs_first(root)
    for value in ordered:
        value.grad = 0.0
    root.grad = 1.0
    if len(ordered) > 12:  # deep graphs have no users outside
        for value in reversed(ordered):
            for source, slope in zip(value.inputs, slopes(value)):
                source.grad += slope * value.grad
        return
    left, ready = dict(USERS), [root]
    while ready:
        value = ready.pop()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)


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
