"""Right answers to ps6, each of another kind than the key's."""


# %% a_class_for_values | right: objects with readers in place of dicts of steps.
# %% q1
class Value:
    def __init__(self, born):
        self.born, self.dead = born, born

    def read(self, t):
        self.dead = max(self.dead, t)


def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    known, own = {}, {}
    for t, each in enumerate(program):
        operands = [known[name] for name in each["reads"]]
        for operand in operands:
            operand.read(t)
        if each["kind"] == "view":
            known[each["name"]] = operands[0]
        else:
            known[each["name"]] = own[each["name"]] = Value(t)
    for name in set(fetches):
        known[name].read(len(program) - 1)
    return {name: (value.born, value.dead) for name, value in own.items()}

# %% q5
class Base:
    def __init__(self, name, size):
        self.name, self.size, self.last = name, size, -1


def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    known, sizes, candidates, found = {}, {}, [], {}
    for t, each in enumerate(program):
        sizes[each["name"]] = each["bytes"]
        for name in each["reads"]:
            known[name].last = t
        if each["kind"] == "view":
            known[each["name"]] = known[each["reads"][0]]
            continue
        known[each["name"]] = Base(each["name"], each["bytes"])
        if each["kind"] == "map":
            names = list(dict.fromkeys(each["reads"]))
            bases = [known[name] for name in names]
            for name, base in zip(names, bases):
                if bases.count(base) == 1 and {sizes[name], base.size} == {each["bytes"]}:
                    candidates.append((each["name"], base, t))
    kept = {known[name].name for name in fetches}
    for name, base, t in reversed(candidates):
        if base.last == t and base.name not in kept:
            found[name] = base.name
    return found


# %% a_list_of_dead | right: lives closed when they end; the longest blocks first, then chance.
# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    base, readers = {}, {}
    for t, each in enumerate(program):
        for read in each["reads"]:
            readers[base[read]].append(t)
        if each["kind"] == "view":
            base[each["name"]] = base[each["reads"][0]]
        else:
            base[each["name"]] = each["name"]
            readers[each["name"]] = [t]
    for name in fetches:
        readers[base[name]].append(len(program) - 1)
    return {name: (steps[0], steps[-1]) for name, steps in readers.items()}

# %% q6
def pack(blocks):
    """A plan without problems whose arena is small."""
    luck = random.Random(11)
    weight = {name: room(size) * (1 + (last - first) ** 0.5)
              for name, (size, first, last) in blocks.items()}
    goal = max((sum(room(s) for s, f, l in blocks.values() if f <= t <= l)
                for _, _, t in blocks.values()), default=0)
    best, top, spread = {}, None, 0.0
    for _ in range(200):
        noisy = {name: w * luck.uniform(1 - spread, 1 + spread) for name, w in weight.items()}
        plan = dropped(sorted(blocks, key=noisy.get, reverse=True), blocks)
        arena = max((plan[name] + room(blocks[name][0]) for name in plan), default=0)
        if top is None or arena < top:
            best, top, weight = plan, arena, noisy
        if top <= goal:
            break
        spread = 0.3
    return best


def dropped(order, blocks):
    plan = {}
    for name in order:
        size, first, last = blocks[name]
        below = sorted([(plan[n], plan[n] + room(blocks[n][0])) for n in plan
                        if not (blocks[n][1] > last or blocks[n][2] < first)])
        at = 0
        for low, high in below:
            if low >= at + room(size):
                break
            at = max(at, high)
        plan[name] = at
    return plan


# %% annealed | right: worse orders are taken, too, less and less often.
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


# %% backwards_and_downwards | right: walks from the end, masks of bits for who lives with whom,
# plans from the top down.
# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    ends = dict.fromkeys(fetches, len(program) - 1)
    found = []
    for t in reversed(range(len(program))):
        one = program[t]
        end = ends.pop(one["name"], t)
        if one["kind"] == "view":  # its readers are its operand's
            (x,) = one["reads"]
            ends[x] = max(ends.get(x, t), end)
        else:
            for x in one["reads"]:
                ends.setdefault(x, t)
            found.append((one["name"], (t, end)))
    return dict(found)

# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    import heapq

    ends, now, most = [], 0, 0
    for _, (size, first, last) in sorted(blocks.items(), key=lambda item: item[1][1]):
        while ends and ends[0][0] < first:
            now -= heapq.heappop(ends)[1]
        heapq.heappush(ends, (last, room(size)))
        most = max(most, now := now + room(size))
    return most

# %% q5
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    at = {one["name"]: t for t, one in enumerate(program)}
    base = []
    for t, one in enumerate(program):
        base.append(base[at[one["reads"][0]]] if one["kind"] == "view" else t)
    busy = {base[at[name]] for name in fetches}
    over = {}
    for t in reversed(range(len(program))):
        one, mine = program[t], {}
        for x in dict.fromkeys(one["reads"]):
            mine.setdefault(base[at[x]], []).append(at[x])
        if one["kind"] == "map":
            for owner, (x, *more) in mine.items():
                sizes = {program[n]["bytes"] for n in (x, owner, t)}
                if owner not in busy and not more and len(sizes) == 1:
                    over[one["name"]] = program[owner]["name"]
                    break
        busy |= mine.keys()
    return dict(reversed(over.items()))

# %% q6
def pack(blocks):
    """A plan without problems whose arena is small: hung from the ceiling, then lifted."""
    from random import Random

    names = [name for name in blocks if blocks[name][0]]
    count, need = len(names), [-room(blocks[name][0]) for name in names]
    beside = []
    for _, f, l in map(blocks.get, names):
        beside.append(sum(1 << k for k, n in enumerate(names)
                          if blocks[n][1] <= l and f <= blocks[n][2]))
    bound = 0
    for k, n in enumerate(names):
        there = [j for j, m in enumerate(names) if blocks[m][1] <= blocks[n][1] <= blocks[m][2]]
        bound = min(bound, sum(need[j] for j in there))

    def hang(order):
        """Offsets below 0, from the ceiling down."""
        place, deepest = [0] * count, 0
        hung = []
        for k in order:
            ceiling = 0
            for top, bottom, j in hung:
                if beside[k] >> j & 1:
                    if ceiling + need[k] >= top:
                        break
                    ceiling = min(ceiling, bottom)
            place[k] = ceiling + need[k]
            deepest = min(deepest, place[k])
            hung.append((ceiling, place[k], k))
            hung.sort(reverse=True)
        return deepest, place

    def span(k):
        return blocks[names[k]][2] - blocks[names[k]][1]

    ways = [sorted(range(count), key=lambda k: (need[k], -span(k))),
            sorted(range(count), key=lambda k: (-span(k), need[k])),
            sorted(range(count), key=lambda k: need[k] * (span(k) + 1))]
    (deepest, place), order = max(((hang(way), way) for way in ways), key=lambda one: one[0][0])
    dice = Random(1)
    for _ in range(120):
        if deepest == bound:
            break
        other = order[:]
        a, b = dice.randrange(count), dice.randrange(count)
        other[a], other[b] = other[b], other[a]
        found = hang(other)
        if found[0] >= deepest:
            (deepest, place), order = found, other
    plan = dict.fromkeys(blocks, 0)
    plan.update((name, place[k] - deepest) for k, name in enumerate(names))  # all is lifted
    return plan


# %% backwards_in_time | right: lives from the end, sweeps by heaps, gaps by their ends.
# %% q1
def lives(program, fetches):
    """(first step, last step) of each value with bytes of its own."""
    below = {}
    for each in program:
        below[each["name"]] = each["name"]
        if each["kind"] == "view":
            below[each["name"]] = below[each["reads"][0]]
    last = {below[name]: len(program) - 1 for name in fetches}
    found = []
    for t in range(len(program) - 1, -1, -1):
        for name in program[t]["reads"]:
            last.setdefault(below[name], t)
        if program[t]["kind"] != "view":
            found.append((program[t]["name"], [t, last.get(program[t]["name"], t)]))
    return dict(reversed(found))

# %% q3
import heapq


def lower_bound(blocks):
    """The most bytes that live in one step."""
    ends, live, most = [], 0, 0
    for first, last, size in sorted((first, last, size) for size, first, last in blocks.values()):
        while ends and ends[0][0] < first:
            live -= heapq.heappop(ends)[1]
        heapq.heappush(ends, (last, room(size)))
        live += room(size)
        most = max(most, live)
    return most


# %% ends_as_places | right: the lowest free place is 0 or an end, above all that begins within
# reach.
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


# %% everything_in_one_line | right: comprehensions, and strings for the rules.
# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    strange = {name for name, at in plan.items() if at & 15 or at < 0}
    state = {name: "odd" if name in strange else "" if name in plan else "lost" for name in blocks}
    boxes = [(name, plan[name], plan[name] + room(size), first, last + 1)
             for name, (size, first, last) in blocks.items() if not state[name] and size]
    found = [(said, name) for name, said in state.items() if said]
    for number, (a, low, high, born, gone) in enumerate(boxes):
        found.extend(("clash", min(a, b), max(a, b)) for b, *box in boxes[:number]
                     if low < box[1] and box[0] < high and born < box[3] and box[2] < gone)
    return found

# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, columns = {}, []
    for name, (size, first, last) in blocks.items():
        way = sorted(columns, key=lambda box: box[:2])
        at, tall = 0, room(size)
        for low, high, born, dead in way:
            if tall and dead >= first and born <= last and low < at + tall and high > at:
                at = high
        plan[name] = at
        columns.append((at, at + tall, first, last))
    return plan


# %% ranges_for_intervals | right: Python ranges know their length, whatever it is.
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


# %% remembers_rightly | right: memories between calls whose keys hold all that matters, generators,
# match, and functions made of functions.
# %% q2
from functools import lru_cache
from itertools import chain, combinations


@lru_cache(maxsize=None)
def cached_problems(blocks, plan):
    """The same of tuples, which can be keys."""
    places = dict(plan)

    def verdict(item):
        name, (size, *_) = item
        match places.get(name):
            case None:
                return "lost"
            case at if at < 0 or at % 16:
                return "odd"
            case _:
                return "fine" if size else "empty"

    judged = {item[0]: verdict(item) for item in blocks}
    fine = sorted((item for item in blocks if judged[item[0]] == "fine"), key=lambda item: item[0])

    def boxes(name, block):
        size, first, last = block
        return (first, last + 1), (places[name], places[name] + room(size))

    clashes = (("clash", a[0], b[0]) for a, b in combinations(fine, 2)
               if all(min(p[1], q[1]) > max(p[0], q[0]) for p, q in zip(boxes(*a), boxes(*b))))
    alone = ((word, name) for name, word in judged.items() if word in ("lost", "odd"))
    return tuple(chain(alone, clashes))


def problems(blocks, plan):
    """All that is wrong with a plan."""
    return [*cached_problems(tuple(blocks.items()), tuple(plan.items()))]

# %% q4
class Placer:
    """One that remembers beginnings: the same blocks first, the same places."""

    def __init__(self):
        self.known = {}

    def __call__(self, blocks):
        key, places = (), ()
        if len(blocks) > 50:  # not worth the memory
            return self.places(blocks, ())
        for block in blocks.values():
            key += (block,)
            if key not in self.known:
                self.known[key] = places + (self.lowest(key[:-1], places, block),)
            places = self.known[key]
        return dict(zip(blocks, places, strict=True))

    def places(self, blocks, places):
        given = list(blocks.values())
        found = []
        for n, block in enumerate(given):
            found.append(self.lowest(given[:n], found, block))
        return dict(zip(blocks, found, strict=True))

    def lowest(self, before, places, block):
        need, floor = room(block[0]), 0
        if not need:
            return 0
        walls = sorted((at, at + room(other[0])) for other, at in zip(before, places, strict=True)
                       if not (other[2] < block[1] or block[2] < other[1]))
        for low, high in walls:
            if low >= floor + need:
                return floor
            floor = high if high > floor else floor
        return floor


first_fit = Placer()

# %% q5
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    steps = {one["name"]: one for one in program}

    def walk():
        base = {}
        for one in program:
            base[one["name"]] = base[one["reads"][0]] if one["kind"] == "view" else one["name"]
        return base

    base = walk()
    last = {base[x]: t for t, one in enumerate(program) for x in one["reads"]}
    last |= {base[x]: float("inf") for x in fetches}
    rules = [
        lambda t, one, x: steps[x]["bytes"] == steps[base[x]]["bytes"] == one["bytes"],
        lambda t, one, x: not last[base[x]] > t,
        lambda t, one, x: [*map(base.get, {*one["reads"]})].count(base[x]) == 1,
    ]
    good = ((one["name"], next((base[x] for x in one["reads"]
                                if all(rule(t, one, x) for rule in rules)), None))
            for t, one in enumerate(program) if one["kind"] == "map")
    return {name: b for name, b in good if b is not None}


# %% running_sums | right: births and deaths apart, two fingers.
# %% q3
from bisect import bisect_left
from itertools import accumulate


def lower_bound(blocks):
    """The most bytes that live in one step."""
    came = sorted((first, room(size)) for size, first, last in blocks.values())
    gone = sorted((last, room(size)) for size, first, last in blocks.values())
    so_far = [0, *accumulate(size for _, size in came)]
    ended = [0, *accumulate(size for _, size in gone)]
    times = [t for t, _ in came]
    most = 0
    for number, (last, _) in enumerate(gone):
        born = bisect_left(times, last + 1)
        before = bisect_left(gone, (last,))
        most = max(most, so_far[born] - ended[before])
    return most

# %% q5
def in_place(program, fetches):
    """The base that each result is written over, for those that can be."""
    base = {}
    for each in program:
        base[each["name"]] = base[each["reads"][0]] if each["kind"] == "view" else each["name"]
    size = {each["name"]: each["bytes"] for each in program}
    closed, found = {base[name] for name in fetches}, []
    for each in reversed(program):  # closed: what a later step or a fetch reads
        bases = {}
        for x in each["reads"]:
            bases.setdefault(base[x], set()).add(x)
        if each["kind"] == "map":
            for x in each["reads"]:
                b = base[x]
                alike = size[x] == each["bytes"] == size[b]
                if alike and b not in closed and len(bases[b]) < 2:
                    found.append((each["name"], base[x]))
                    break
        closed.update(bases)
    return dict(found[::-1])


# %% who_is_on_top_goes_down | right: the block that ends highest is placed earlier.
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
