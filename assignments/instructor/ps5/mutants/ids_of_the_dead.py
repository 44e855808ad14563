"""Loses q6: a node that nobody holds lends its id to the next."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    fetches = list(fetches)
    for _ in range(rounds):
        before = [id(node) for node in fetches]
        for change in passes:
            fetches = change(fetches, fed)
        if [id(node) for node in fetches] == before:
            break
    return list(fetches)
