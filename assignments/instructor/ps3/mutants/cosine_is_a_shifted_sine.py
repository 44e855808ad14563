"""Loses q2: cos(x) is taken as sin(x + π/2), which is far off where x is so large that the shift
is rounded away: 1e17."""
# %% q2 after the key
def sin(x):
    return Dual(np.sin(x.value), np.sin(x.value + np.pi / 2) * x.tangent)
