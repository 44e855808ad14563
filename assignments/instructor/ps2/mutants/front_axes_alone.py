"""Loses q1: forgets the axes of length 1."""
# %% q1
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    return g
