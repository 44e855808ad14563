"""Loses q2: log takes |x|, whose slope is 1 / x as well: log(-2) is a number, NumPy's is nan."""
# %% q2 after the key
def log(x):
    return Dual(np.log(np.abs(x.value)), x.tangent / x.value)
