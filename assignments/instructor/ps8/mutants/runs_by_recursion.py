"""Loses q7: a call for each node, inside that of its user."""
# %% q7 after the key
def run_later(fetches, feeds):
    return run(fetches, feeds)
