"""Loses q2: tanh by powers of e, infinite over infinite at 1000."""
# %% q2 after the key
def tanh(x):
    up, down = np.exp(x.value), np.exp(-np.asarray(x.value))
    t = (up - down) / (up + down)
    return Dual(t, (1 - t * t) * x.tangent)
