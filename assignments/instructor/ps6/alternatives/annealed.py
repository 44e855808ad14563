"""Full points: worse orders are taken, too, less and less often."""
# %% q6
import math


def pack(blocks):
    """A plan without problems whose arena is small."""
    luck, names = random.Random(3), sorted(blocks, key=lambda name: (-blocks[name][0], name))
    if not names:
        return {}
    bound = max(sum(room(s) for s, f, l in blocks.values() if f <= t <= l)
                for _, t, _ in blocks.values())
    longest = sorted(names, key=lambda name: blocks[name][1] - blocks[name][2])
    now = best = min(place(names, blocks), place(longest, blocks), key=lambda found: found[0])
    for turn in range(160):
        if best[0] <= bound:
            break
        order = list(now[2])
        i, j = luck.randrange(len(order)), luck.randrange(len(order))
        order[i], order[j] = order[j], order[i]
        found = place(order, blocks)
        worse = (found[0] - now[0]) / bound
        if worse <= 0 or luck.random() < math.exp(-worse * (turn + 20)):
            now = found
        best = min(best, now, key=lambda one: one[0])
    return best[1]


def place(order, blocks):
    placed, plan = [], {}
    for name in order:
        size, first, last = blocks[name]
        size, at = room(size), 0
        for start, end, f, l in placed:
            if f <= last and first <= l:
                if start - at >= size:
                    break
                at = max(at, end)
        plan[name] = at
        placed.append((at, at + size, first, last))
        placed.sort()
    return max(end for _, end, _, _ in placed), plan, list(order)
