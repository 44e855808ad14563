"""Loses q6: the other fetches go on changing."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if before[0] is current[0]:
            break
    return current
