"""Loses q3: lives of billions of steps are counted step by step."""
# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    live = {}
    for size, first, last in blocks.values():
        for t in range(first, last + 1):
            live[t] = live.get(t, 0) + room(size)
    return max(live.values(), default=0)
