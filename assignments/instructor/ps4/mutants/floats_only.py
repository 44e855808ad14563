"""Loses q1: a constant keeps float(value): 2**60 + 1 becomes another number, 10**400 an error."""
# %% q1 after the key
def constant(value):
    return Node("constant", value=float(value))
