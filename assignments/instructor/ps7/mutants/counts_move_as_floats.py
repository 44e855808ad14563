"""Loses q5: counts become floats, which no condition can look up in a list."""
# %% q5 after the key
def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(np.array(x, float), np.zeros(np.shape(x)) if dot is None else dot)
            for dot, x in pairs]
