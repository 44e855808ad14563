"""Loses q3: each block is rounded, not their sum."""
# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    changes = []
    for size, first, last in blocks.values():
        changes += [(first, size), (last + 1, -size)]
    live = most = 0
    for _, change in sorted(changes):
        live += change
        most = max(most, live)
    return room(most)
