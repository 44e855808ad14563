"""Loses q4: each value's level is one below its lowest user, mended in twenty rounds at most:
enough for a chain and for small graphs, too few where thousands of values have two ways."""

# %% q3
def backward(root):
    """Set .grad of every Value that root was made from."""
    level, found = {root: 0}, [root]
    for value in found:
        for source in value.inputs:
            if source not in level:
                level[source] = level[value] + 1
                found.append(source)
    for _ in range(20):
        low = [(x, level[v] + 1) for v in found for x in v.inputs if level[x] <= level[v]]
        if not low:
            break
        for x, at in low:
            level[x] = max(level[x], at)
    found.sort(key=level.get)
    for value in found:
        value.grad = 0.0
    root.grad = 1.0
    for value in found:
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
