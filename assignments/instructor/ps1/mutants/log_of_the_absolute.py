"""Loses q1: log takes |x| for safety, so log(-2.0) is a number; math.log raises ValueError."""

# %% q1 after the key
def log(x):
    return Value.record("log", lambda a: math.log(abs(a)), x)
