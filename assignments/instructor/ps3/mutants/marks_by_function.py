"""Loses q4: a function keeps the mark of its first derivative: one that was an outer function
before, or is both, mixes speeds."""
# %% q4 after the key
MARKS = {}


def derivative(f, x):
    owner = MARKS.setdefault(f, len(MARKS) + 1)
    return parts(f(Moving(x, 1.0, owner)), owner)[1]
