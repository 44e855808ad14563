"""Loses q1: a layer onto the same size goes without relu."""
# %% q1 after the key
def scores(x, weights):
    x = x @ weights[0] + weights[1]
    for at in range(2, len(weights), 2):
        square = hasattr(x, "value") and len(weights[at].value) == weights[at].value.size ** 0.5
        x = (x if square else x.relu()) @ weights[at] + weights[at + 1]
    return x
