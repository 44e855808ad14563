"""Loses q1: a constant of a value that was there before is the same node again."""
# %% q1 after the key
CONSTANTS = {}


def constant(value):
    return CONSTANTS.setdefault(value, Node("constant", value=value))
