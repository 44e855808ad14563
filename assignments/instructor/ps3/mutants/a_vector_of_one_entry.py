"""Loses q2: tanh takes a vector of one entry for a number, and its axis is lost."""
# %% q2 after the key
def tanh(x):
    value, tangent = x.value, x.tangent
    if np.size(value) == 1:
        value, tangent = float(np.sum(value)), float(np.sum(tangent))
    t = np.tanh(value)
    return Dual(t, (1 - t**2) * tangent)
