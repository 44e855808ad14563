"""Loses q3: at each birth it goes through all that live: cheap where few do, but 20,000 blocks that
all live at once cost 200 million looks."""

# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    alive, most = [], 0
    for size, first, last in sorted(blocks.values(), key=lambda block: block[1]):
        alive = [(end, bytes) for end, bytes in alive if end >= first]
        alive.append((last, room(size)))
        most = max(most, sum(bytes for _, bytes in alive))
    return most
