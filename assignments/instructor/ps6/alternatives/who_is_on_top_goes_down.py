"""Full points: the block that ends highest is placed earlier."""
# %% q6
def pack(blocks):
    """A plan without problems whose arena is small."""
    sizes = {name: room(block[0]) for name, block in blocks.items()}
    best = None
    for key in (lambda n: (sizes[n], n), lambda n: (blocks[n][2] - blocks[n][1], sizes[n]),
                lambda n: (sizes[n] * (blocks[n][2] - blocks[n][1] + 1), n)):
        order = sorted(blocks, key=key, reverse=True)
        for turn in range(45):
            plan, top = settled(order, blocks, sizes)
            if best is None or top < best[0]:
                best = top, plan
            if best[0] == least(blocks, sizes):
                return best[1]
            high = [name for name in order if plan[name] + sizes[name] == top]
            here = order.index(high[turn % len(high)])
            there = max(0, here - 1 - (turn * 7) % (here + 1))
            order.insert(there, order.pop(here))
    return best[1]


def least(blocks, sizes):
    ticks = {block[1] for block in blocks.values()}
    return max((sum(sizes[n] for n, b in blocks.items() if b[1] <= t <= b[2]) for t in ticks),
               default=0)


def settled(order, blocks, sizes):
    plan = {}
    for name in order:
        _, first, last = blocks[name]
        way = sorted((plan[n], plan[n] + sizes[n]) for n in plan
                     if blocks[n][1] <= last and first <= blocks[n][2])
        at = 0
        for start, end in way:
            if start - at >= sizes[name]:
                break
            at = max(at, end)
        plan[name] = at
    return plan, max((plan[n] + sizes[n] for n in plan), default=0)
