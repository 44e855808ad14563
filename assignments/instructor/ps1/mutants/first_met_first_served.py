"""Loses q3: a value passes on when it is first met, before its other users have delivered."""
# %% q3
def backward(root):
    met, seen = [root], {id(root)}
    for value in met:
        value.grad = 0.0
        for source in value.inputs:
            if id(source) not in seen:
                seen.add(id(source))
                met.append(source)
    root.grad = 1.0
    for value in met:
        for source, slope in zip(value.inputs, slopes(value)):
            source.grad += slope * value.grad
