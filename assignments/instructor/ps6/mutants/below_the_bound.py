"""Loses q6: it tries for ever to come below the bound, which no plan can."""
# %% q6
def pack(blocks):
    """A plan without problems whose arena is small."""
    luck = random.Random(0)
    order = sorted(blocks, key=lambda name: blocks[name][0], reverse=True)
    starts = [first for _, first, _ in blocks.values()]
    bound = max([live_at(t, blocks) for t in starts], default=0)
    plan, arena = lay(order, blocks)
    tries = 0
    while blocks and arena >= bound:
        tries += 1
        other = list(order)
        other.insert(luck.randrange(len(order)), other.pop(luck.randrange(len(order))))
        found, top = lay(other, blocks)
        if top <= arena:
            order, plan, arena = other, found, top
    return plan


def live_at(t, blocks):
    """The bytes that live in one step."""
    return sum(room(size) for size, first, last in blocks.values() if first <= t <= last)


def lay(order, blocks):
    """(the plan, its arena) when blocks come in this order, each to its lowest free place."""
    plan, taken = {}, []
    for name in order:
        size, first, last = blocks[name]
        at = 0
        for start, end, born, dead in sorted(taken):
            if born <= last and dead >= first and end > at:
                if start >= at + room(size):
                    break
                at = end
        plan[name] = at
        taken.append((at, at + room(size), first, last))
    return plan, max([end for _, end, _, _ in taken], default=0)
