"""Loses q1: the list of weights is empty afterwards."""
# %% q1 after the key
def scores(x, weights):
    x = x @ weights.pop(0) + weights.pop(0)
    while weights:
        x = x.relu() @ weights.pop(0) + weights.pop(0)
    return x
