"""Loses q4: an f that raises leaves its level open, and later slopes are no plain numbers."""
# %% q4 after the key
OPEN = []


def derivative(f, x):
    OPEN.append(f)
    owner = len(OPEN)
    slope = parts(f(Moving(x, 1.0, owner)), owner)[1]
    OPEN.pop()
    return Moving(slope, 0.0, len(OPEN)) if OPEN and owner_of(slope) == 0 else slope
