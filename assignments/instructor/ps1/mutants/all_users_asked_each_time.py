"""Loses q5: each time that a share comes, all users of the value are asked whether they are done:
for a leaf that each of n steps uses the lines grow with the square."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    users, found = {root: []}, [root]
    for value in found:
        value.grad = 0.0
        for source in value.inputs:
            if source not in users:
                users[source] = []
                found.append(source)
            users[source].append(value)
    root.grad, ready, done = 1.0, [root], set()
    while ready:
        value = ready.pop()
        done.add(value)
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
        for source in dict.fromkeys(value.inputs):
            waits = False
            for user in users[source]:
                if user not in done:
                    waits = True
            if not waits:
                ready.append(source)
