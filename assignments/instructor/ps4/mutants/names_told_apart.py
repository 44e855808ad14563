"""Loses q1: a second placeholder("x") gets the name x_1, so that neither its name nor its KeyError
says what was asked."""
# %% q1 after the key
TAKEN = {}


def placeholder(name):
    TAKEN[name] = TAKEN.get(name, -1) + 1
    return Node("placeholder", name=f"{name}_{TAKEN[name]}" if TAKEN[name] else name)
