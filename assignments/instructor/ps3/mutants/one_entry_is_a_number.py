"""Loses q1: a plain array of one entry is taken for a number: Dual(2, 1) + [5] has no axis any
more."""
# %% q1 after the key
def dual(x):
    if isinstance(x, Dual):
        return x
    return Dual(np.asarray(x).item(), 0.0) if np.size(x) == 1 else Dual(x, np.zeros(np.shape(x)))
