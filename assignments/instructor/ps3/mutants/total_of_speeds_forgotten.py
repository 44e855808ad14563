"""Loses q2: the entries' speeds are not summed up."""
# %% q2 after the key
def total(x):
    return Dual(np.sum(x.value), x.tangent)
