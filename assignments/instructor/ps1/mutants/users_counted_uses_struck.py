"""Loses q3: each user is counted once, but each use is struck off: b, used twice by b * b and once
by b * c, passes on when b * b has delivered."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    users, found = {root: set()}, [root]
    for value in found:
        for source in value.inputs:
            if source not in users:
                users[source] = set()
                found.append(source)
            users[source].add(value)
    left = {value: len(users[value]) for value in found}
    for value in found:
        value.grad = 0.0
    root.grad, ready = 1.0, [root]
    while ready:
        value = ready.pop()
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
            left[source] -= 1
            if left[source] == 0:
                ready.append(source)
