"""Loses q2: total makes one row of the caller's own arrays."""
# %% q2 after the key
def total(x):
    if np.ndim(x.value) > 1:
        x.value.shape = x.tangent.shape = (-1,)
    return Dual(np.sum(x.value), np.sum(x.tangent))
