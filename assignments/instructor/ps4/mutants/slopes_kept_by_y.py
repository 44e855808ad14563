"""Loses q4: slopes are kept by y and xs and given again: when the caller has changed that list, the
next answer has the change."""
# %% q4 after the key
FOUND = {}


def gradients(y, xs, gradients=gradients):
    key = y, tuple(xs)
    if key not in FOUND:
        FOUND[key] = gradients(y, xs)
    return FOUND[key]
