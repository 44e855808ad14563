"""Wrong answers to q6 of ps6."""


# %% a_map_of_all_memory | loses q6: a flag for every sixteen bytes. | says: It does not improve its
# best order by small changes, or makes too few of them
def pack(blocks):
    """A plan without problems whose arena is small."""
    rules = [lambda size, first, last: size, lambda size, first, last: size * (last - first + 1)]
    plans = []
    for rule in rules:
        used, plan = [], {}
        for name in sorted(blocks, key=lambda name: rule(*blocks[name]), reverse=True):
            size, first, last = blocks[name]
            busy = bytearray(sum(aligned(block[0]) for block in blocks.values()) // 16 + 1)
            for start, end, born, dead in used:
                if born <= last and first <= dead:
                    busy[start:end] = b"x" * (end - start)
            at = busy.find(bytes(aligned(size) // 16))
            plan[name] = 16 * at
            used.append((at, at + aligned(size) // 16, first, last))
        plans.append((max([end for _, end, _, _ in used], default=0), len(plans), plan))
    return min(plans)[2]


# %% a_pool_of_buffers | loses q6: whole buffers are handed on: what is over in one is lost. | says:
# Small blocks are placed early, and large ones then find no gap
def pack(blocks):
    """A plan without problems whose arena is small."""
    buffers, where = [], {}
    for name in sorted(blocks, key=lambda name: blocks[name][1]):
        size, first, last = blocks[name]
        free = [one for one in buffers if one[1] < first]
        if free:
            one = min(free, key=lambda one: abs(one[0] - aligned(size)))
            one[0] = max(one[0], aligned(size))
        else:
            one = [aligned(size), last]
            buffers.append(one)
        one[1] = last
        where[name] = one
    offsets, at = {}, 0
    for one in buffers:
        offsets[id(one)], at = at, at + one[0]
    return {name: offsets[id(one)] for name, one in where.items()}


# %% below_the_bound | loses q6: it tries for ever to come below the bound, which no plan can. |
# says: A plan must be right, and found in two seconds of processor time
# %% q6 after the key
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    sizes = [aligned(size) for size, _, _ in blocks.values()]
    beside, bound = neighbours(list(blocks.values()), sizes)
    luck, order = random.Random(0), list(range(len(sizes)))
    best = place(order, sizes, beside)
    while arena(best, sizes) >= bound and blocks:
        luck.shuffle(order)
        best = min(best, place(order, sizes, beside), key=lambda found: arena(found, sizes))
    return dict(zip(blocks, best))


# %% five_thousand_moves | loses q6: better and better plans, but no look at the time. | says: A
# plan must be right, and found in two seconds of processor time
# %% q6 after the key
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    sizes = [aligned(size) for size, _, _ in blocks.values()]
    beside, _ = neighbours(list(blocks.values()), sizes)
    luck = random.Random(0)
    order = [*sorted_orders(list(blocks.values()))][0]
    best = place(order, sizes, beside)
    for _ in range(5000):
        other = list(order)
        if len(order) > 1:
            other.insert(luck.randrange(len(order)), other.pop(luck.randrange(len(order))))
        found = place(other, sizes, beside)
        if arena(found, sizes) <= arena(best, sizes):
            order, best = other, found
    return dict(zip(blocks, best))


def sorted_orders(blocks):
    """List the orders by size, by length of life, by their product, and by birth."""
    size, first, last = zip(*blocks) if blocks else ((), (), ())
    for weight in (lambda n: -size[n], lambda n: first[n] - last[n],
                   lambda n: size[n] * (first[n] - last[n] - 1), lambda n: first[n]):
        yield sorted(range(len(blocks)), key=weight)


# %% in_the_order_they_are_born | loses q6: right, and a fifth too large. | says: Small blocks are
# placed early, and large ones then find no gap
# %% q6 after the key
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    return laid(blocks, sorted(range(len(blocks)), key=lambda n: [*blocks.values()][n][1]))


def laid(blocks, order):
    """Place by first fit in one order."""
    sizes = [aligned(size) for size, _, _ in blocks.values()]
    return dict(zip(blocks, place(order, sizes, neighbours([*blocks.values()], sizes)[0])))


# %% the_largest_first_and_no_more | loses q6: one order for all networks. | says: It does not
# choose, for each network, the best of several sorted orders
# %% q6 after the key
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    sizes = [aligned(size) for size, _, _ in blocks.values()]
    order = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
    return dict(zip(blocks, place(order, sizes, neighbours([*blocks.values()], sizes)[0])))


# %% two_hundred_shuffles | loses q6: luck instead of an idea. | says: It does not choose, for each
# network, the best of several sorted orders
# %% q6 after the key
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    sizes = [aligned(size) for size, _, _ in blocks.values()]
    beside, bound = neighbours([*blocks.values()], sizes)
    luck, order, plans = random.Random(0), list(range(len(sizes))), []
    for _ in range(200):
        luck.shuffle(order)
        plans.append(place(order, sizes, beside))
        if arena(plans[-1], sizes) == bound:
            break
    return dict(zip(blocks, min(plans, key=lambda found: arena(found, sizes))))


# %% the_best_of_four_orders | loses q6: no order is changed a little. | says: It does not improve
# its best order by small changes, or makes too few of them
# %% q6 after the key
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    sizes = [aligned(size) for size, _, _ in blocks.values()]
    beside, _ = neighbours([*blocks.values()], sizes)
    plans = [place(order, sizes, beside) for order in sorted_orders([*blocks.values()])]
    return dict(zip(blocks, min(plans, key=lambda found: arena(found, sizes))))


def sorted_orders(blocks):
    """List the orders by size, by length of life, by their product, and by birth."""
    size, first, last = zip(*blocks) if blocks else ((), (), ())
    for weight in (lambda n: -size[n], lambda n: first[n] - last[n],
                   lambda n: size[n] * (first[n] - last[n] - 1), lambda n: first[n]):
        yield sorted(range(len(blocks)), key=weight)


# %% three_hundred_moves | loses q6: one name at a time, chosen by chance. | says: Its changes do
# not ask which blocks lie too high
# %% q6 after the key
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    sizes = [aligned(size) for size, _, _ in blocks.values()]
    beside, bound = neighbours([*blocks.values()], sizes)
    luck, tops = random.Random(1), []
    order = min(sorted_orders([*blocks.values()]),
                key=lambda order: arena(place(order, sizes, beside), sizes))
    best = place(order, sizes, beside)
    for _ in range(300):
        if arena(best, sizes) == bound:
            break
        other = list(order)
        other.insert(luck.randrange(len(order)), other.pop(luck.randrange(len(order))))
        found = place(other, sizes, beside)
        if arena(found, sizes) <= arena(best, sizes):
            order, best = other, found
    return dict(zip(blocks, best))


def sorted_orders(blocks):
    """List the orders by size, by length of life, by their product, and by birth."""
    size, first, last = zip(*blocks) if blocks else ((), (), ())
    for weight in (lambda n: -size[n], lambda n: first[n] - last[n],
                   lambda n: size[n] * (first[n] - last[n] - 1), lambda n: first[n]):
        yield sorted(range(len(blocks)), key=weight)


# %% planned_before | loses q6: a plan is remembered for the names and bytes of the blocks: a second
# net with the same ones, whose blocks live at other times, gets the plan of the first. | says: A
# result of an earlier call is used again
# %% q6 after the key
PACKED, PLANNER = {}, pack


def pack(blocks):
    """A plan without problems; what was planned once is not planned again."""
    key = tuple((name, block[0]) for name, block in blocks.items())
    if key not in PACKED:
        PACKED[key] = PLANNER(blocks)
    return dict(PACKED[key])


# %% puts_them_back | loses q6: blocks of 0 bytes are taken out of the caller's dict and put back:
# afterwards they stand at its end, and the dict has another order than before. | says: The call
# changes a dict or a list that it is given
# %% q6 after the key
PLANNER = pack


def pack(blocks):
    """A plan without problems whose arena is small."""
    nothing = {name: blocks.pop(name) for name in list(blocks) if not blocks[name][0]}
    plan = PLANNER(blocks) | dict.fromkeys(nothing, 0)
    blocks.update(nothing)
    return plan


# %% bytes_as_they_are | loses q6: the next block begins where the bytes end, aligned or not. |
# says: An offset is not a multiple of 16
# %% q6 after the key
def aligned(bytes):
    """Leave the bytes as they are."""
    return bytes


# %% reader_beside_result | loses q6: live ranges that touch share bytes: small, and wrong. | says:
# Two blocks that share only one step lie in the same bytes
# %% q6 after the key
RIGHT = neighbours


def neighbours(blocks, sizes):
    """Find the other blocks that are live with each block, without those that only touch it."""
    beside, bound = RIGHT(blocks, sizes)
    for n, others in enumerate(beside):
        _, first, last = blocks[n]
        others[:] = [m for m in others if blocks[m][1] < last and first < blocks[m][2]
                     or blocks[m][1:] == (first, last)]
    return beside, bound


# %% remembers_by_their_names | loses q6: other blocks of the same names get the old plan. | says: A
# result of an earlier call is used again
# %% q6 after the key
KNOWN, PLANNER = {}, pack


def pack(blocks):
    """Find a plan without problems whose arena is small, looked up if it is known."""
    if tuple(blocks) not in KNOWN:
        KNOWN[tuple(blocks)] = PLANNER(blocks)
    return KNOWN[tuple(blocks)]


# %% takes_the_blocks_out | loses q6: the caller finds the dict empty. | says: The call changes a
# dict or a list that it is given
# %% q6 after the key
PLANNER = pack


def pack(blocks):
    """Find a plan without problems whose arena is small."""
    plan = PLANNER(blocks)
    blocks.clear()
    return plan


# %% blocks_of_nothing_are_left_out | loses q6: what has 0 bytes gets no offset. | says: The plan
# does not have exactly one offset for each block
# %% q6 after the key
PLANNER = pack


def pack(blocks):
    """Find a plan without problems whose arena is small."""
    return PLANNER({name: block for name, block in blocks.items() if block[0]})


# %% no_blocks_no_minimum | loses q6: the largest of nothing is an error. | says: It does not work
# for such blocks, of which there may be none
# %% q6 after the key
PLANNER = pack


def pack(blocks):
    """Find a plan without problems whose arena is small."""
    last_step = max(last for _, _, last in blocks.values())
    return PLANNER(blocks) if last_step >= 0 else {}


# %% all_its_time_for_few_blocks | loses q6: it searches for more than a second, even if there are
# three blocks. | says: for at most 60 of them found in a tenth of a second
# %% q6 after the key
import time

search = pack


def pack(blocks):
    """Find a plan without problems whose arena is small."""
    begun, found = time.process_time(), search(blocks)
    while len(blocks) <= 60 and time.process_time() - begun < 1.5:
        found = search(blocks)
    return found
