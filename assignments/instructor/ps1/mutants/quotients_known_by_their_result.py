"""Loses q2: the slopes of quotients are kept by the result: 6 / 3 and 4 / 2 get the same ones."""

# %% q2 after the key
reckoned, KEPT = slopes, {}


def slopes(z):
    if z.op != "div":
        return reckoned(z)
    if z.data not in KEPT:
        KEPT[z.data] = reckoned(z)
    return KEPT[z.data]
