"""Loses q6: one round, whatever happens."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    for _ in range(min(rounds, 1)):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if all(a is b for a, b in zip(before, current)):
            break
    return current
