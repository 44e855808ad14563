"""Loses q1: who asks twice gets the very arrays of the first time."""
# %% q1 after the key
KNOWN, drawn = {}, new_weights


def new_weights(sizes, seed):
    key = (*sizes, seed)
    if key not in KNOWN:
        KNOWN[key] = drawn(sizes, seed)
    return list(KNOWN[key])
