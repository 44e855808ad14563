"""Loses q4: a result is asked for the level that runs at its end: an inner derivative that raised,
inside an outer f that goes on, has left its own behind, and the outer slope is 0."""
# %% q4 after the key
LEVEL = [0]


def derivative(f, x):
    LEVEL[0] += 1
    slope = parts(f(Moving(x, 1.0, LEVEL[0])), LEVEL[0])[1]
    LEVEL[0] -= 1
    return slope
