"""Loses q7: a Tensor holds a copy of its array."""
# %% q7 after the key
def as_now(x):
    return x if isinstance(x, Now) else Now("value", value=np.array(x, float))
