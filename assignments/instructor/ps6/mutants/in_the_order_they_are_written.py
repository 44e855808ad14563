"""Loses q3: blocks need not come in the order of their births."""
# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    live, most = [], 0
    for size, first, last in blocks.values():
        live = [block for block in live if block[1] >= first] + [(room(size), last)]
        most = max(most, sum(taken for taken, _ in live))
    return most
