"""Loses q2: whole numbers that are fed become floats, which 10**400 is too large for."""
# %% q2 after the key
def run(fetches, feeds, run=run):
    return run(fetches, {x: float(a) if type(a) is int else a for x, a in feeds.items()})
