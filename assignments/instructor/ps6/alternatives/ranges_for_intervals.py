"""Full points: Python ranges know their length, whatever it is."""
# %% q2
from itertools import combinations


def problems(blocks, plan):
    """All that is wrong with a plan."""
    lost = [["lost", name] for name in blocks if name not in plan]
    odd = [["odd", name] for name in blocks if name in plan and not is_even(plan[name])]
    good = [name for name in blocks if name in plan and is_even(plan[name])]
    pairs = combinations(sorted(good, reverse=True), 2)
    pairs = [(a, b) for a, b in pairs if meet(times(blocks[a]), times(blocks[b]))]
    return odd + lost + [["clash", b, a] for a, b in pairs
                         if meet(cells(blocks[a], plan[a]), cells(blocks[b], plan[b]))]


def is_even(at):
    return at in range(0, at + 1, 16)


def times(block):
    return range(block[1], block[2] + 1)


def cells(block, at):
    return range(at // 16, at // 16 + room(block[0]) // 16)


def meet(a, b):
    return bool(range(max(a.start, b.start), min(a.stop, b.stop)))
