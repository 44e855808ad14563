"""Loses q3: in one step the new ones come before the old ones go."""
# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    changes = []
    for size, first, last in blocks.values():
        changes += [(first, room(size)), (last + 1, -room(size))]
    live = most = 0
    for _, change in sorted(changes, key=lambda change: (change[0], -change[1])):
        live += change
        most = max(most, live)
    return most
