"""Loses q2: x / x is 1 everywhere, so both slopes are said to be 0; they are 1 / x and -1 / x."""

# %% q2 after the key
rules = slopes


def slopes(z):
    return (0.0, 0.0) if z.op == "div" and z.inputs[0] is z.inputs[1] else rules(z)
