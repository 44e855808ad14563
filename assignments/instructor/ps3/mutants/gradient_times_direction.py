"""Loses q5: the second-order term dropped: the gradient, entry by entry times the direction."""
# %% q5
def hvp(f, xs, vs):
    return [slope * v for slope, v in zip(gradient(f, xs), vs)]
