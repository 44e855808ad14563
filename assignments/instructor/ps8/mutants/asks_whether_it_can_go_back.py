"""Loses q1: written twice, once for what has a way back."""
# %% q1 after the key
def scores(x, weights):
    layers = list(zip(weights[::2], weights[1::2]))
    if hasattr(x, "backward"):
        for W, b in layers[:-1]:
            x = (x @ W + b).relu()
        return x @ layers[-1][0] + layers[-1][1]
    node = x
    for at, (W, b) in enumerate(layers):
        node = (node.relu() if at else node) @ W + b
    return node
