"""Loses q2: log adds 1e-12 so that 0 does no harm: log(0) is -27.6, not -inf, and log(1e-10) is
one percent of a percent off."""
# %% q2 after the key
def log(x):
    safe = x.value + 1e-12
    return Dual(np.log(safe), x.tangent / safe)
