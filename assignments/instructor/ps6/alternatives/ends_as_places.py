"""Full points: the lowest free place is 0 or an end, above all that begins within reach."""
# %% q4
from bisect import bisect_left
from itertools import accumulate


def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan = {}
    for name, block in blocks.items():
        way = sorted((plan[other], plan[other] + room(blocks[other][0])) for other in plan
                     if max(block[1], blocks[other][1]) <= min(block[2], blocks[other][2]))
        tops = [0, *accumulate((end for _, end in way), max)]
        ends = sorted({0, *(end for _, end in way)})
        free = (at for at in ends if tops[bisect_left(way, (at + room(block[0]),))] <= at)
        plan[name] = next(free) if block[0] else 0
    return plan
