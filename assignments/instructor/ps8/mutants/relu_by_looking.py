"""Loses q1: a relu that needs the numbers, with no word of it in the graph."""
# %% q1 after the key
def scores(x, weights):
    for at in range(0, len(weights), 2):
        if at:
            positive = x.value > 0 if hasattr(x, "value") else 1.0
            x = x * positive
        x = x @ weights[at] + weights[at + 1]
    return x
