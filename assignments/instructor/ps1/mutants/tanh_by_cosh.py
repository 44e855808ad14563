"""Loses q2: the slope of tanh is 1 / cosh(x)²; at x = 1000 cosh is beyond all floats and raises,
where the slope is 0."""
# %% q2 after the key
others = slopes


def slopes(z):
    return (1 / math.cosh(z.inputs[0].data) ** 2,) if z.op == "tanh" else others(z)
