"""Wrong answers to q4 of ps6."""


# %% a_gap_between_neighbours_in_time | loses q4: only the block that came last is looked at for a
# place above. | says: Two blocks that are live in the same step share bytes
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        tried = [0] + [end for _, end, _, _ in placed]
        for at in sorted(tried):
            top = at + aligned(size)
            if all(end <= at or start >= top or dead < first or born > last or not size
                   for start, end, born, dead in reversed(placed)):
                break
        plan[name] = at if placed and size else 0
        placed.append((plan[name], plan[name] + aligned(size), first, last))
        placed = placed[-3:]
    return plan


# %% always_on_top | loses q4: gaps are not used. | says: A block is placed above all blocks in its
# way, and gaps below are not used
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
        placed.append((lowest, lowest + aligned(size), first, last))
    return plan


# %% climbs_down_again | loses q4: after a low block the search goes on at its end, below a high
# one. | says: The search goes down again after a block that ends below a higher one
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= aligned(size):
                    break
                lowest = end
        plan[name] = lowest
        placed.append((lowest, lowest + aligned(size), first, last))
    return plan


# %% nothing_needs_a_place | loses q4: a block of 0 bytes looks for a gap of 16. | says: A block of
# 0 bytes does not get offset 0
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= max(16, aligned(size)):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + aligned(size), first, last))
    return plan


# %% reader_and_result_share | loses q4: lives that touch are taken for apart. | says: Blocks that
# share only one step do not count as being in the way
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born < last and first < dead or (born, dead) == (first, last):
                if start - lowest >= aligned(size):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + aligned(size), first, last))
    return plan


# %% rooms_are_not_rounded | loses q4: the next block begins where the bytes end. | says: Bytes are
# not rounded up to a multiple of 16
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= aligned(size):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + size, first, last))
    return plan


# %% sixteen_by_sixteen | loses q4: one offset after the other is tried. | says: Do not try one
# offset after the other: sizes may be huge
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        at = 0
        way = [(start, end) for start, end, born, dead in placed if born <= last and first <= dead]
        while any(max(at, start) < min(at + aligned(size), end) for start, end in way):
            at += 16
        plan[name] = at
        placed.append((at, at + aligned(size), first, last))
    return plan


# %% the_bottom_is_no_gap | loses q4: the gap below the lowest block is not used. | says: The gap
# below the lowest block is not used
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if lowest and start - lowest >= aligned(size) or not size:
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + aligned(size), first, last))
    return plan


# %% the_largest_first | loses q4: another order than that of the dict. | says: The blocks are
# placed in another order than that of the dict
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in sorted(blocks.items(), key=lambda item: -item[1][0]):
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= aligned(size):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + aligned(size), first, last))
    return plan


# %% the_smallest_gap | loses q4: the gap that fits best, not the lowest. | says: The smallest gap
# is taken, not the lowest one
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest, gaps = 0, []
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= aligned(size):
                    gaps.append((start - lowest, lowest))
                lowest = max(lowest, end)
        best = min(gaps)[1] if gaps else lowest
        plan[name] = best if size else 0
        placed.append((plan[name], plan[name] + aligned(size), first, last))
    return plan




# %% by_their_first_steps | loses q4: the blocks are sorted by their first step. | says: The blocks
# are placed in the order of their first steps
def first_fit(blocks):
    """Place each block at the lowest offset that is free for it, in their order."""
    plan = {}
    for name in sorted(blocks, key=lambda name: blocks[name][1]):
        size, first, last = blocks[name]
        at = 0
        for low, high in sorted((plan[other], plan[other] + aligned(blocks[other][0]))
                                for other in plan if blocks[other][0]
                                and blocks[other][1] <= last and first <= blocks[other][2]):
            if low - at >= aligned(size):
                break
            at = max(at, high)
        plan[name] = at if size else 0
    return plan


# %% a_gap_of_its_own_size | loses q4: a gap must be larger than the block. | says: A gap of exactly
# the block's size is not used
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        if size:
            for start, end, born, dead in sorted(placed):
                if born <= last and first <= dead:
                    if start - lowest > aligned(size):
                        break
                    lowest = max(lowest, end)
            placed.append((lowest, lowest + aligned(size), first, last))
        plan[name] = lowest
    return plan


# %% rounded_as_floats | loses q4: size / 16 is a float, which does not hold all digits of a huge
# size. | says: Huge numbers become floats, which are rounded
import math


def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        need, lowest = math.ceil(size / 16) * 16, 0
        if size:
            for start, end, born, dead in sorted(placed):
                if born <= last and first <= dead:
                    if start - lowest >= need:
                        break
                    lowest = max(lowest, end)
            placed.append((lowest, lowest + need, first, last))
        plan[name] = lowest
    return plan
