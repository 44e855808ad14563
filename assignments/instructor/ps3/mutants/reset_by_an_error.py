"""Loses q4: an error sets the level back to 0, also for the outer derivative whose f catches it:
its next inner derivative has its own level again."""
# %% q4 after the key
LEVEL = [0]


def derivative(f, x):
    LEVEL[0] += 1
    level = LEVEL[0]
    try:
        result = f(Moving(x, 1.0, level))
    except BaseException:
        LEVEL[0] = 0
        raise
    LEVEL[0] = level - 1
    return parts(result, level)[1]
