"""Loses q1: the word of x / y is that of x * y, and an attribute tells them apart: op
is to say what made a Value."""

# %% q1 after the key
quotient = Value.__truediv__


def called_a_product(x, other):
    z = quotient(x, other)
    z.op, z.below = "mul", True
    return z


Value.__truediv__ = called_a_product

# %% q2 after the key
rules = slopes


def slopes(z):
    if not hasattr(z, "below"):
        return rules(z)
    x, y = (source.data for source in z.inputs)
    return 1 / y, -x / y**2
