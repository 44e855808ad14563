"""Loses q6: the list of the caller is changed."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = fetches
    for _ in range(rounds):
        before = list(current)
        for each in passes:
            current[:] = each(list(current), fed)
        if all(a is b for a, b in zip(before, current)):
            break
    return current
