"""Loses q3: of all that lives only the two largest count."""
# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    events = sorted({first for _, first, _ in blocks.values()})
    most, waiting, live = 0, sorted(blocks.values(), key=lambda block: -block[1]), []
    for t in events:
        while waiting and waiting[-1][1] <= t:
            live.append(waiting.pop())
        live = [block for block in live if block[2] >= t]
        most = max(most, sum(sorted(room(block[0]) for block in live)[-2:]))
    return most
