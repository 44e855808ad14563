"""Loses q3: in its last step a block still lives."""
# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    changes = []
    for size, first, last in blocks.values():
        changes += [(first, room(size)), (last, -room(size))]
    live = most = 0
    for _, change in sorted(changes):
        live += change
        most = max(most, live)
    return most
