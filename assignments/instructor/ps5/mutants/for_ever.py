"""Loses q6: passes that never agree run for ever."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    while True:
        before = current
        for each in passes:
            current = list(each(current, fed))
        if all(a is b for a, b in zip(before, current)):
            break
    return current
