"""Loses q1: a whole number beside a Dual is not taken."""
# %% q1 after the key
def dual(x):
    if isinstance(x, int):
        raise TypeError("make a float of it first")
    return x if isinstance(x, Dual) else Dual(x, np.zeros(np.shape(x)))
