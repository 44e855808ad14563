"""Loses q1: the mean over the uses, not their sum."""
# %% q1
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.mean(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            g = g.mean(axis=axis, keepdims=True)
    return g
