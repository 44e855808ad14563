"""Loses q5: the slow and obvious way: two calls of f, and half of the digits."""
# %% q5
def hvp(f, xs, vs):
    return nudged_gradient(f, xs, vs)
