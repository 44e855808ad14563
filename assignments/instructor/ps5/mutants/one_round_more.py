"""Loses q6: one round more than was asked."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    for _ in range(rounds + 1):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if all(a is b for a, b in zip(before, current)):
            break
    return current
