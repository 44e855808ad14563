"""Loses q2: total is the mean times the number of entries: nan, not 0, where there are none."""
# %% q2 after the key
def total(x):
    return Dual(*(np.mean(part) * np.size(part) for part in (x.value, x.tangent)))
