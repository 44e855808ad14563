"""Loses q3: the blocks go through a set, where two with equal numbers are one: a and b, both
(32, 0, 2), need 64 bytes, and it says 32."""

# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    events = []
    for size, first, last in set(blocks.values()):
        events += [(first, 1, room(size)), (last + 1, 0, -room(size))]
    now = most = 0
    for _, _, change in sorted(events):
        now += change
        most = max(most, now)
    return most
