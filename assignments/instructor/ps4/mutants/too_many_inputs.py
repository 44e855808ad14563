"""Loses q4: writes each slope as a sum of three, which the table's add cannot be."""
# %% q4 after the key
of_two = gradients


def gradients(y, xs):
    return [Node("add", (slope, constant(0.0), constant(0.0))) for slope in of_two(y, xs)]
