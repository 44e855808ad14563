"""Loses q5: right numbers without recursion, but along every path: exponential time."""
# %% q3
def backward(root):
    clear(root)
    paths = [(root, 1.0)]
    while paths:
        value, share = paths.pop()
        value.grad += share
        for source, slope in zip(value.inputs, slopes(value)):
            paths.append((source, slope * share))


def clear(root):
    todo, seen = [root], {id(root)}
    while todo:
        value = todo.pop()
        value.grad = 0.0
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                todo.append(source)
