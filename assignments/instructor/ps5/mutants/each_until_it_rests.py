"""Loses q6: each pass goes on alone until it rests, and never again."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    for each in passes:
        for _ in range(rounds):
            before, current = current, list(each(current, fed))
            if all(a is b for a, b in zip(before, current)):
                break
    return current
