"""Wrong answers to q4 of ps6."""


# %% a_gap_between_neighbours_in_time | loses q4: only the block that came last is looked at for a
# place above.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        tried = [0] + [end for _, end, _, _ in placed]
        for at in sorted(tried):
            top = at + room(size)
            if all(end <= at or start >= top or dead < first or born > last or not size
                   for start, end, born, dead in reversed(placed)):
                break
        plan[name] = at if placed and size else 0
        placed.append((plan[name], plan[name] + room(size), first, last))
        placed = placed[-3:]
    return plan


# %% always_on_top | loses q4: gaps are not used.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                lowest = max(lowest, end)
        lowest = lowest if size else 0
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan


# %% climbs_by_recursion | loses q4: it climbs by calling itself, once for each block in the way: a
# thousand blocks that all live at once are more than Python's stack of calls holds.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""

    def climb(floor, need, walls):
        wall = next(walls, None)
        if wall is None or wall[0] - floor >= need:
            return floor
        return climb(max(floor, wall[1]), need, walls)

    plan = {}
    for name, (size, first, last) in blocks.items():
        walls = sorted((plan[other], plan[other] + room(blocks[other][0])) for other in plan
                       if blocks[other][1] <= last and first <= blocks[other][2])
        plan[name] = climb(0, room(size), iter(walls)) if size else 0
    return plan


# %% climbs_down_again | loses q4: after a low block the search goes on at its end, below a high
# one.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= room(size):
                    break
                lowest = end
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan


# %% nothing_needs_a_place | loses q4: a block of 0 bytes looks for a gap of 16.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= max(16, room(size)):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan


# %% reader_and_result_share | loses q4: lives that touch are taken for apart.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born < last and first < dead or (born, dead) == (first, last):
                if start - lowest >= room(size):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan


# %% rooms_are_not_rounded | loses q4: the next block begins where the bytes end.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= room(size):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + size, first, last))
    return plan


# %% sixteen_by_sixteen | loses q4: one offset after the other is tried.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        at = 0
        way = [(start, end) for start, end, born, dead in placed if born <= last and first <= dead]
        while any(max(at, start) < min(at + room(size), end) for start, end in way):
            at += 16
        plan[name] = at
        placed.append((at, at + room(size), first, last))
    return plan


# %% the_bottom_is_no_gap | loses q4: the gap below the lowest block is not used.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if lowest and start - lowest >= room(size) or not size:
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan


# %% the_largest_first | loses q4: another order than that of the dict.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in sorted(blocks.items(), key=lambda item: -item[1][0]):
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= room(size):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan


# %% the_smallest_gap | loses q4: the gap that fits best, not the lowest.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest, gaps = 0, []
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= room(size):
                    gaps.append((start - lowest, lowest))
                lowest = max(lowest, end)
        best = min(gaps)[1] if gaps else lowest
        plan[name] = best if size else 0
        placed.append((plan[name], plan[name] + room(size), first, last))
    return plan


# %% tries_every_top | loses q4: it tries the top of each block that came before, from below, and
# looks each time at all in the way: a thousand blocks that all live at once take a minute and not a
# second.
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan = {}

    def free(at, need, walls):
        return all(at + need <= low or high <= at for low, high in walls)

    for name, (size, first, last) in blocks.items():
        walls = [(plan[other], plan[other] + room(blocks[other][0])) for other in plan
                 if blocks[other][0] and blocks[other][1] <= last and first <= blocks[other][2]]
        tries = sorted({0} | {high for _, high in walls})
        plan[name] = next(at for at in tries if free(at, room(size), walls)) if size else 0
    return plan
