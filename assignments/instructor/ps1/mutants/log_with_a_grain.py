"""Loses q1: log adds 1e-12 for safety: log(1e-300) is -27.6, and log(0) a number."""

# %% q1 after the key
def log(x):
    return Value(math.log(x.data + 1e-12), "log", (x,))
