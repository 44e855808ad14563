"""Loses q2: exp remembers results by id(x); a later Dual at the place of a dead one gets the old
result."""
# %% q2 after the key
DONE = {}
new_exp = exp


def exp(x):
    if id(x) not in DONE:
        DONE[id(x)] = new_exp(x)
    return DONE[id(x)]
