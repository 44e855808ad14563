"""Wrong answers to q3 of ps6."""


# %% a_set_of_blocks | loses q3: the blocks go through a set, where two with equal numbers are one:
# a and b, both (32, 0, 2), need 64 bytes, and it says 32. | says: Blocks with the same numbers
# count as one
def lower_bound(blocks):
    """The most bytes that live in one step."""
    events = []
    for size, first, last in set(blocks.values()):
        events += [(first, 1, aligned(size)), (last + 1, 0, -aligned(size))]
    now = most = 0
    for _, _, change in sorted(events):
        now += change
        most = max(most, now)
    return most


# %% every_step_is_walked | loses q3: lives of billions of steps are counted step by step. | says:
# steps may be billions
def lower_bound(blocks):
    """The most bytes that live in one step."""
    live = {}
    for size, first, last in blocks.values():
        for t in range(first, last + 1):
            live[t] = live.get(t, 0) + aligned(size)
    return max(live.values(), default=0)


# %% gone_in_the_last_step | loses q3: in its last step a block still lives. | says: A block does
# not count in its last step
def lower_bound(blocks):
    """The most bytes that live in one step."""
    changes = []
    for size, first, last in blocks.values():
        changes += [(first, aligned(size)), (last, -aligned(size))]
    live = most = 0
    for _, change in sorted(changes):
        live += change
        most = max(most, live)
    return most


# %% in_the_order_they_are_written | loses q3: blocks need not come in the order of their births. |
# says: The blocks are taken in the order of the dict, not of time
def lower_bound(blocks):
    """The most bytes that live in one step."""
    live, most = [], 0
    for size, first, last in blocks.values():
        live = [block for block in live if block[1] >= first] + [(aligned(size), last)]
        most = max(most, sum(taken for taken, _ in live))
    return most


# %% the_sum_is_rounded | loses q3: each block is rounded, not their sum. | says: The sum is
# rounded, not each block
def lower_bound(blocks):
    """The most bytes that live in one step."""
    changes = []
    for size, first, last in blocks.values():
        changes += [(first, size), (last + 1, -size)]
    live = most = 0
    for _, change in sorted(changes):
        live += change
        most = max(most, live)
    return aligned(most)


# %% two_at_a_time | loses q3: of all that lives only the two largest count. | says: It is not the
# largest sum of sizes in one step
def lower_bound(blocks):
    """The most bytes that live in one step."""
    events = sorted({first for _, first, _ in blocks.values()})
    most, waiting, live = 0, sorted(blocks.values(), key=lambda block: -block[1]), []
    for t in events:
        while waiting and waiting[-1][1] <= t:
            live.append(waiting.pop())
        live = [block for block in live if block[2] >= t]
        most = max(most, sum(sorted(aligned(block[0]) for block in live)[-2:]))
    return most


# %% who_comes_before_who_goes | loses q3: in one step the new ones come before the old ones go. |
# says: A block still counts in the step after its last one
def lower_bound(blocks):
    """The most bytes that live in one step."""
    changes = []
    for size, first, last in blocks.values():
        changes += [(first, aligned(size)), (last + 1, -aligned(size))]
    live = most = 0
    for _, change in sorted(changes, key=lambda change: (change[0], -change[1])):
        live += change
        most = max(most, live)
    return most


# %% a_sum_of_floats | loses q3: the sum begins at 0.0, so huge sizes are rounded. | says: Huge
# numbers become floats, which are rounded
def lower_bound(blocks):
    """The most bytes that are live in one step."""
    most = 0.0
    for _, t, _ in blocks.values():
        live = 0.0
        for size, first, last in blocks.values():
            if first <= t <= last:
                live += aligned(size)
        most = max(most, live)
    return int(most)
