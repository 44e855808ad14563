"""Loses q2: the slope of x ** n takes the exponent that was used last."""
# %% q2 after the key
power, LAST = Value.__pow__, []


def remembering(x, n):
    LAST[:] = [n]
    return power(x, n)


Value.__pow__ = remembering
rules = slopes


def slopes(z):
    if z.op == "pow":
        return (LAST[0] * z.inputs[0].data ** (LAST[0] - 1),)
    return rules(z)
