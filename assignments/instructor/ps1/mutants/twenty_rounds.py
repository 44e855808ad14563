"""Loses q6: levels are mended in twenty rounds, as if no chain were longer."""

# %% q6
def mended_backward(root):
    """Set .grad of every Node that root was made from, each node delivering once."""
    level, found = {root: 0}, [root]
    for node in found:
        for source in node.inputs:
            if source not in level:
                level[source] = level[node] + 1
                found.append(source)
    for _ in range(20):
        for node in reversed(found):
            for source in node.inputs:
                level[source] = max(level[source], level[node] + 1)
    for node in found:
        node.grad = 0.0
    root.grad = 1.0
    for node in sorted(found, key=level.get):
        for source, push in zip(node.inputs, node.pushes):
            source.grad += push(node.grad)
