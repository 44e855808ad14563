"""Loses q6: one idle pass is no idle round."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        for each in passes:
            before, current = current, list(each(current, fed))
            if all(a is b for a, b in zip(before, current)):
                return current
    return current
