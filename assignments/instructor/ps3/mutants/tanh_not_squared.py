"""Loses q2: 1 - tanh(x) for the slope of tanh."""
# %% q2 after the key
def tanh(x):
    return Dual(np.tanh(x.value), (1 - np.tanh(x.value)) * x.tangent)
