"""Loses q2: a power has slope 0 at x = 0, thinks this; x ** 1 has slope 1."""

# %% q2 after the key
rules = slopes


def slopes(z):
    return (0.0,) if z.op == "pow" and z.inputs[0].data == 0 else rules(z)
