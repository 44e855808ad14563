"""Loses q2: e to the power x is written into the array of x."""
# %% q2 after the key
def exp(x):
    power = np.exp(x.value, out=x.value if np.ndim(x.value) else None)
    return Dual(power, power * x.tangent)
