"""Wrong answers to q3 of ps6."""


# %% a_set_of_blocks | loses q3: the blocks go through a set, where two with equal numbers are one:
# a and b, both (32, 0, 2), need 64 bytes, and it says 32.
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


# %% every_step_is_walked | loses q3: lives of billions of steps are counted step by step.
def lower_bound(blocks):
    """The most bytes that live in one step."""
    live = {}
    for size, first, last in blocks.values():
        for t in range(first, last + 1):
            live[t] = live.get(t, 0) + room(size)
    return max(live.values(), default=0)


# %% goes_through_all_alive | loses q3: at each birth it goes through all that live: cheap where few
# do, but 20,000 blocks that all live at once cost 200 million looks.
def lower_bound(blocks):
    """The most bytes that live in one step."""
    alive, most = [], 0
    for size, first, last in sorted(blocks.values(), key=lambda block: block[1]):
        alive = [(end, bytes) for end, bytes in alive if end >= first]
        alive.append((last, room(size)))
        most = max(most, sum(bytes for _, bytes in alive))
    return most


# %% gone_in_the_last_step | loses q3: in its last step a block still lives.
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


# %% in_the_order_they_are_written | loses q3: blocks need not come in the order of their births.
def lower_bound(blocks):
    """The most bytes that live in one step."""
    live, most = [], 0
    for size, first, last in blocks.values():
        live = [block for block in live if block[1] >= first] + [(room(size), last)]
        most = max(most, sum(taken for taken, _ in live))
    return most


# %% the_sum_is_rounded | loses q3: each block is rounded, not their sum.
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


# %% two_at_a_time | loses q3: of all that lives only the two largest count.
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


# %% who_comes_before_who_goes | loses q3: in one step the new ones come before the old ones go.
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
