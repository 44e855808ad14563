"""Loses q6: a round that exchanges nodes changes something, too."""
# %% q6
def improve(passes, fetches, fed=(), rounds=100):
    """The fetches after the passes, in rounds until one changes nothing."""
    current = list(fetches)
    for _ in range(rounds):
        before = current
        for each in passes:
            current = list(each(current, fed))
        if len(nodes_of(before)) == len(nodes_of(current)):
            break
    return current
