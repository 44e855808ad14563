"""Loses q6: a pass that is through may get work from a later one."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    fetches, busy = list(fetches), list(passes)
    for _ in range(rounds):
        for change in list(busy):
            came = list(change(fetches, fed))
            if all(a is b for a, b in zip(came, fetches)):
                busy.remove(change)
            fetches = came
        if not busy:
            break
    return fetches
