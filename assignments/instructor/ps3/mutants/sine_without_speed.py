"""Loses q2: the slope of the sine, without the tangent that comes in."""
# %% q2 after the key
def sin(x):
    return Dual(np.sin(x.value), np.cos(x.value))
