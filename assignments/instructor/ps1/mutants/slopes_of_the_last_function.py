"""Loses q2: exp, log and tanh leave their slope in a table by their name: exp(x) asked for after
exp(y) gets that of exp(y)."""

# %% q1 after the key
LAST = {}
power_of_e, logarithm, tangent = exp, log, tanh


def exp(x):
    z = power_of_e(x)
    LAST["exp"] = z.data
    return z


def log(x):
    z = logarithm(x)
    LAST["log"] = 1 / x.data
    return z


def tanh(x):
    z = tangent(x)
    LAST["tanh"] = 1 - z.data**2
    return z


# %% q2 after the key
others = slopes


def slopes(z):
    return (LAST[z.op],) if z.op in LAST else others(z)
