"""Loses q6: each pass is compared with the one before, so two that undo each other never rest."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    fetches = list(fetches)
    for _ in range(rounds):
        changed = False
        for each in passes:
            new = list(each(fetches, fed))
            changed = changed or any(a is not b for a, b in zip(new, fetches))
            fetches = new
        if not changed:
            break
    return fetches
