"""Loses q6: no order is changed a little."""
# %% q6
def pack(blocks):
    """A plan without problems whose arena is small."""
    rules = [lambda size, first, last: size, lambda size, first, last: size * (last - first + 1),
             lambda size, first, last: (last - first, size)]
    orders = [sorted(blocks, key=lambda name: rule(*blocks[name]), reverse=True) for rule in rules]
    return min((lay(order, blocks) for order in orders), key=lambda found: found[1])[0]


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
