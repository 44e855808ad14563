"""Loses q2: total of a single number is that very Dual, not a new one."""
# %% q2 after the key
def total(x, total=total):
    return total(x) if np.ndim(x.value) else x
