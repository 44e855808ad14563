"""Loses q1: 0 is taken for no seed."""
# %% q1 after the key
seeded = new_weights


def new_weights(sizes, seed):
    return seeded(sizes, seed or None)
