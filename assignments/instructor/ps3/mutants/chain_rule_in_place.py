"""Loses q2: the slopes are multiplied in place into a copy of the speeds, which has their type:
with whole speeds, sin raises."""
# %% q2 after the key
def sin(x):
    tangent = np.array(x.tangent)
    if tangent.ndim == 0:
        return Dual(np.sin(x.value), np.cos(x.value) * x.tangent)
    tangent *= np.cos(x.value)
    return Dual(np.sin(x.value), tangent)
