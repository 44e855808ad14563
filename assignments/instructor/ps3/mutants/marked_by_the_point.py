"""Loses q4: the mark is the point: two derivatives at the same point are taken for one."""
# %% q4 after the key
def derivative(f, x):
    owner = x.owner + 0.5 if isinstance(x, Moving) else x
    return parts(f(Moving(x, 1.0, owner)), owner)[1]
