"""Loses q6: the passes are not told what is fed."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        before = current
        for each in passes:
            current = list(each(current, ()))
        if all(a is b for a, b in zip(before, current)):
            break
    return current
