"""Loses q4: the slope by an x without a way to y is x * 0.0, for which x must be fed."""
# %% q4 after the key
def gradients(y, xs, gradients=gradients):
    reached = set(inputs_first(y))
    return [slope if x in reached else x * 0.0 for x, slope in zip(xs, gradients(y, xs))]
