"""Loses q6: what was seen before need not be the end: the rounds are counted."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    seen = set()
    for _ in range(rounds):
        if tuple(fetches) in seen:
            break
        seen.add(tuple(fetches))
        for change in passes:
            fetches = change(fetches, fed)
    return list(fetches)
