"""Loses q1: log(exp(x)) gives back x, and exp(log(x)), too: each operation makes a new Value."""

# %% q1 after the key
logarithm, power_of_e = log, exp


def log(x):
    return x.inputs[0] if x.op == "exp" else logarithm(x)


def exp(x):
    return x.inputs[0] if x.op == "log" else power_of_e(x)
