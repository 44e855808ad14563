"""Wrong answers to q6 of ps6."""


# %% a_map_of_all_memory | loses q6: a flag for every sixteen bytes.
def pack(blocks):
    """A plan without problems whose arena is small."""
    rules = [lambda size, first, last: size, lambda size, first, last: size * (last - first + 1)]
    plans = []
    for rule in rules:
        used, plan = [], {}
        for name in sorted(blocks, key=lambda name: rule(*blocks[name]), reverse=True):
            size, first, last = blocks[name]
            busy = bytearray(sum(room(block[0]) for block in blocks.values()) // 16 + 1)
            for start, end, born, dead in used:
                if born <= last and first <= dead:
                    busy[start:end] = b"x" * (end - start)
            at = busy.find(bytes(room(size) // 16))
            plan[name] = 16 * at
            used.append((at, at + room(size) // 16, first, last))
        plans.append((max([end for _, end, _, _ in used], default=0), len(plans), plan))
    return min(plans)[2]


# %% a_pool_of_buffers | loses q6: whole buffers are handed on: what is over in one is lost.
def pack(blocks):
    """A plan without problems whose arena is small."""
    buffers, where = [], {}
    for name in sorted(blocks, key=lambda name: blocks[name][1]):
        size, first, last = blocks[name]
        free = [one for one in buffers if one[1] < first]
        if free:
            one = min(free, key=lambda one: abs(one[0] - room(size)))
            one[0] = max(one[0], room(size))
        else:
            one = [room(size), last]
            buffers.append(one)
        one[1] = last
        where[name] = one
    offsets, at = {}, 0
    for one in buffers:
        offsets[id(one)], at = at, at + one[0]
    return {name: offsets[id(one)] for name, one in where.items()}


# %% below_the_bound | loses q6: it tries for ever to come below the bound, which no plan can.
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


# %% in_the_order_they_are_born | loses q6: right, and a tenth too large.
def pack(blocks):
    """A plan without problems whose arena is small."""
    return lay(sorted(blocks, key=lambda name: blocks[name][1]), blocks)[0]


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


# %% planned_before | loses q6: a plan is remembered for the names and bytes of the blocks: a second
# net with the same ones, whose blocks live at other times, gets the plan of the first.
# %% q6 after the key
PACKED, PLANNER = {}, pack


def pack(blocks):
    """A plan without problems; what was planned once is not planned again."""
    key = tuple((name, block[0]) for name, block in blocks.items())
    if key not in PACKED:
        PACKED[key] = PLANNER(blocks)
    return dict(PACKED[key])


# %% puts_them_back | loses q6: blocks of 0 bytes are taken out of the caller's dict and put back:
# afterwards they stand at its end, and the dict has another order than before.
# %% q6 after the key
PLANNER = pack


def pack(blocks):
    """A plan without problems whose arena is small."""
    nothing = {name: blocks.pop(name) for name in list(blocks) if not blocks[name][0]}
    plan = PLANNER(blocks) | dict.fromkeys(nothing, 0)
    blocks.update(nothing)
    return plan


# %% reader_beside_result | loses q6: lives that touch share bytes: small, and wrong.
def pack(blocks):
    """A plan without problems whose arena is small."""
    luck = random.Random(0)
    order = sorted(blocks, key=lambda name: blocks[name][0], reverse=True)
    starts = [first for _, first, _ in blocks.values()]
    bound = max([live_at(t, blocks) for t in starts], default=0)
    plan, arena = lay(order, blocks)
    tries = 0
    while arena > bound and tries < 100:
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
            if (born < last and dead > first or (born, dead) == (first, last)) and end > at:
                if start >= at + room(size):
                    break
                at = end
        plan[name] = at
        taken.append((at, at + room(size), first, last))
    return plan, max([end for _, end, _, _ in taken], default=0)


# %% remembers_by_their_names | loses q6: other blocks of the same names get the old plan.
def pack_anew(blocks):
    """A plan without problems whose arena is small."""
    luck = random.Random(0)
    order = sorted(blocks, key=lambda name: blocks[name][0], reverse=True)
    starts = [first for _, first, _ in blocks.values()]
    bound = max([live_at(t, blocks) for t in starts], default=0)
    plan, arena = lay(order, blocks)
    tries = 0
    while arena > bound and tries < 100:
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

KNOWN = {}


def pack(blocks):
    """A plan without problems whose arena is small, looked up if it is known."""
    if tuple(blocks) not in KNOWN:
        KNOWN[tuple(blocks)] = pack_anew(blocks)
    return KNOWN[tuple(blocks)]


# %% takes_the_blocks_out | loses q6: the caller finds the dict empty.
def pack(blocks):
    """A plan without problems whose arena is small."""
    luck = random.Random(0)
    order = sorted(blocks, key=lambda name: blocks[name][0], reverse=True)
    starts = [first for _, first, _ in blocks.values()]
    bound = max([live_at(t, blocks) for t in starts], default=0)
    plan, arena = lay(order, blocks)
    tries = 0
    while arena > bound and tries < 100:
        tries += 1
        other = list(order)
        other.insert(luck.randrange(len(order)), other.pop(luck.randrange(len(order))))
        found, top = lay(other, blocks)
        if top <= arena:
            order, plan, arena = other, found, top
    blocks.clear()
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


# %% the_best_of_three_orders | loses q6: no order is changed a little.
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


# %% the_largest_first_and_no_more | loses q6: one order for all nets.
def pack(blocks):
    """A plan without problems whose arena is small."""
    return lay(sorted(blocks, key=lambda name: -blocks[name][0]), blocks)[0]


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
