"""Loses q2: slopes are kept by id(z), without keeping z: a new Value gets the id of a dead one,
and its slopes."""

# %% q2 after the key
reckoned, KEPT = slopes, {}


def slopes(z):
    if z.op in ("exp", "log", "tanh", "pow"):
        if id(z) not in KEPT:
            KEPT[id(z)] = reckoned(z)
        return KEPT[id(z)]
    return reckoned(z)
