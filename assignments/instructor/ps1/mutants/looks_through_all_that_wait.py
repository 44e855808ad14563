"""Loses q5: Each step looks through all values that wait for one that is complete: where many wait
long (h of each of n steps is used again on the way back, in the opposite order) the lines grow
with the square."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    users, found = {id(root): 0}, [root]
    for v in found:
        v.grad = 0.0
        for x in v.inputs:
            if id(x) not in users:
                users[id(x)] = 0
                found.append(x)
            users[id(x)] += 1
    root.grad, waiting = 1.0, {id(root): root}
    while waiting:
        for v in waiting.values():
            if users[id(v)] == 0:
                break
        del waiting[id(v)]
        for x, slope in zip(v.inputs, slopes(v)):
            x.grad += slope * v.grad
            users[id(x)] -= 1
            waiting[id(x)] = x
