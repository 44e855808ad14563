"""Loses q5: looks through all waiting values for one that is ready: quadratic on wide graphs,
and the order is found anew after each step."""
# %% q3
def backward(root):
    nodes, seen = [root], {id(root)}
    for value in nodes:
        value.grad = 0.0
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                nodes.append(source)
    root.grad = 1.0
    if all(len(value.inputs) < 2 for value in nodes) or len(nodes) > 1000:
        for value in nodes:
            for source, slope in zip(value.inputs, slopes(value)):
                source.grad += slope * value.grad
        return
    waiting = list(nodes)
    while waiting:
        for value in waiting:
            if not any(value is source for user in waiting for source in user.inputs):
                break
        waiting.remove(value)
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
