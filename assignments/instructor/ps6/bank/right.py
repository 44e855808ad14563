"""Right answers to ps6, each of another kind than the key's."""


# %% a_class_for_values | right: objects with readers in place of dicts of steps.
# %% q1
class Value:
    def __init__(self, born):
        self.born, self.dead = born, born

    def read(self, t):
        self.dead = max(self.dead, t)


def live_ranges(program, fetches):
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
        if each["kind"] == "elementwise":
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


# %% a_list_of_dead | right: lives closed when they end; what is too high gets more weight.
# %% q1
def live_ranges(program, fetches):
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
    """Find a plan without problems whose arena is small."""
    luck = random.Random(11)
    need = {name: aligned(size) for name, (size, _, _) in blocks.items()}
    meets = {name: [other for other in blocks if other != name and blocks[other][1] <= last
                    and first <= blocks[other][2]] for name, (_, first, last) in blocks.items()}
    goal = max((need[name] + sum(need[other] for other in meets[name]
                                 if blocks[other][1] <= blocks[name][1]) for name in blocks),
               default=0)
    weight = {name: need[name] * (1 + (last - first) ** 0.5)
              for name, (_, first, last) in blocks.items()}
    best, top = {}, None
    for _ in range(500):
        plan = dropped(sorted(blocks, key=weight.get, reverse=True), need, meets)
        tall = [name for name in blocks if plan[name] + need[name] > goal]
        arena = max((plan[name] + need[name] for name in blocks), default=0)
        if top is None or arena < top:
            best, top = plan, arena
        if top <= 1.025 * goal:
            break
        for name in tall:
            weight[name] *= luck.uniform(1, 1.15)
    return best


def dropped(order, need, meets):
    """Place by first fit in this order."""
    plan = {}
    for name in order:
        at, size = 0, need[name]
        for low, high in sorted([(plan[n], plan[n] + need[n]) for n in meets[name] if n in plan]):
            if low >= at + size:
                break
            at = max(at, high)
        plan[name] = at
    return plan


# %% backwards_and_downwards | right: walks from the end, offsets below zero,
# plans from the top down.
# %% q1
def live_ranges(program, fetches):
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
        heapq.heappush(ends, (last, aligned(size)))
        most = max(most, now := now + aligned(size))
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
        if one["kind"] == "elementwise":
            for owner, (x, *more) in mine.items():
                sizes = {program[n]["bytes"] for n in (x, owner, t)}
                if owner not in busy and not more and len(sizes) == 1:
                    over[one["name"]] = program[owner]["name"]
                    break
        busy |= mine.keys()
    return dict(reversed(over.items()))

# %% q6
def pack(blocks):
    """Find a plan without problems whose arena is small: hung from the ceiling, then lifted."""
    from random import Random

    names = [name for name in blocks if blocks[name][0]]
    count, need = len(names), [-aligned(blocks[name][0]) for name in names]
    born, died = ([blocks[name][k] for name in names] for k in (1, 2))
    beside = [[j for j in range(count) if j != k and born[j] <= died[k] and born[k] <= died[j]]
              for k in range(count)]
    bound = min((need[k] + sum(need[j] for j in beside[k] if born[j] <= born[k])
                 for k in range(count)), default=0)

    def hang(order):
        """Offsets below 0, from the ceiling down."""
        floor = [1] * count
        for k in order:
            ceiling = 0
            for top, bottom in sorted([(floor[j] - need[j], floor[j]) for j in beside[k]
                                       if floor[j] <= 0], reverse=True):
                if ceiling + need[k] >= top:
                    break
                ceiling = min(ceiling, bottom)
            floor[k] = ceiling + need[k]
        return floor

    dice, found = Random(1), []
    order = sorted(range(count), key=lambda k: need[k] * (died[k] - born[k] + 1))
    late = [order.index(k) for k in range(count)]
    for _ in range(500):
        floor = hang(order)
        found.append((-min(floor, default=0), floor))
        if found[-1][0] <= -1.02 * bound:
            break
        late = [when - dice.random() * count / 16 if at < bound else when
                for when, at in zip(late, floor)]
        order.sort(key=late.__getitem__)
    deepest, floor = min(found)
    plan = dict.fromkeys(blocks, 0)
    plan.update((name, at + deepest) for name, at in zip(names, floor))  # all is lifted
    return plan


# %% backwards_in_time | right: lives from the end, sweeps by heaps, gaps by their ends.
# %% q1
def live_ranges(program, fetches):
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
        heapq.heappush(ends, (last, aligned(size)))
        live += aligned(size)
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
        way = sorted((plan[other], plan[other] + aligned(blocks[other][0])) for other in plan
                     if max(block[1], blocks[other][1]) <= min(block[2], blocks[other][2]))
        tops = [0, *accumulate((end for _, end in way), max)]
        ends = sorted({0, *(end for _, end in way)})
        free = (at for at in ends if tops[bisect_left(way, (at + aligned(block[0]),))] <= at)
        plan[name] = next(free) if block[0] else 0
    return plan


# %% everything_in_one_line | right: comprehensions, and strings for the rules.
# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    strange = {name for name, at in plan.items() if at & 15 or at < 0}
    state = {name: "" if name in plan else "missing" for name in blocks}
    state |= {name: "misaligned" for name in blocks if name in strange}
    boxes = [(name, plan[name], plan[name] + aligned(size), first, last + 1)
             for name, (size, first, last) in blocks.items() if not state[name] and size]
    found = [(said, name) for name, said in state.items() if said]
    for number, (a, low, high, born, gone) in enumerate(boxes):
        found.extend(("overlap", min(a, b), max(a, b)) for b, *box in boxes[:number]
                     if low < box[1] and box[0] < high and born < box[3] and box[2] < gone)
    return found

# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, columns = {}, []
    for name, (size, first, last) in blocks.items():
        way = sorted(columns, key=lambda box: box[:2])
        at, tall = 0, aligned(size)
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
    lost = [["missing", name] for name in blocks if name not in plan]
    odd = [["misaligned", name] for name in blocks if name in plan and not is_even(plan[name])]
    good = [name for name in blocks if name in plan and is_even(plan[name])]
    pairs = combinations(sorted(good, reverse=True), 2)
    pairs = [(a, b) for a, b in pairs if meet(times(blocks[a]), times(blocks[b]))]
    return odd + lost + [["overlap", b, a] for a, b in pairs
                         if meet(cells(blocks[a], plan[a]), cells(blocks[b], plan[b]))]


def is_even(at):
    return at in range(0, at + 1, 16)


def times(block):
    return range(block[1], block[2] + 1)


def cells(block, at):
    return range(at // 16, at // 16 + aligned(block[0]) // 16)


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
                return "missing"
            case at if at < 0 or at % 16:
                return "misaligned"
            case _:
                return "fine" if size else "empty"

    judged = {item[0]: verdict(item) for item in blocks}
    fine = sorted((item for item in blocks if judged[item[0]] == "fine"), key=lambda item: item[0])

    def boxes(name, block):
        size, first, last = block
        return (first, last + 1), (places[name], places[name] + aligned(size))

    clashes = (("overlap", a[0], b[0]) for a, b in combinations(fine, 2)
               if all(min(p[1], q[1]) > max(p[0], q[0]) for p, q in zip(boxes(*a), boxes(*b))))
    alone = ((word, name) for name, word in judged.items() if word in ("missing", "misaligned"))
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
        need, floor = aligned(block[0]), 0
        if not need:
            return 0
        pairs = zip(before, places, strict=True)
        walls = sorted((at, at + aligned(other[0])) for other, at in pairs
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
            for t, one in enumerate(program) if one["kind"] == "elementwise")
    return {name: b for name, b in good if b is not None}


# %% running_sums | right: births and deaths apart, two fingers.
# %% q3
from bisect import bisect_left
from itertools import accumulate


def lower_bound(blocks):
    """The most bytes that live in one step."""
    came = sorted((first, aligned(size)) for size, first, last in blocks.values())
    gone = sorted((last, aligned(size)) for size, first, last in blocks.values())
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
        if each["kind"] == "elementwise":
            for x in each["reads"]:
                b = base[x]
                alike = size[x] == each["bytes"] == size[b]
                if alike and b not in closed and len(bases[b]) < 2:
                    found.append((each["name"], base[x]))
                    break
        closed.update(bases)
    return dict(found[::-1])


# %% who_is_on_top_goes_down | right: blocks that end too high are placed earlier, without chance.
# %% q6
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    sizes = {name: aligned(block[0]) for name, block in blocks.items()}
    crowd = {a: [b for b in blocks if a != b and max(blocks[a][1], blocks[b][1])
                 <= min(blocks[a][2], blocks[b][2])] for a in blocks}
    bound = least(blocks, sizes)
    best = None
    for key in (lambda n: sizes[n], lambda n: sizes[n] * (blocks[n][2] - blocks[n][1] + 1)):
        order = sorted(blocks, key=key, reverse=True)
        for turn in range(100):
            plan = settled(order, crowd, sizes)
            top = max((plan[n] + sizes[n] for n in plan), default=0)
            if best is None or top < best[0]:
                best = top, plan
            if best[0] <= 1.02 * bound:
                return best[1]
            rank = {name: n for n, name in enumerate(order)}
            for n, name in enumerate(order):
                if plan[name] + sizes[name] > bound:
                    rank[name] -= (1 + (7 * turn + 3 * n) % 11) * len(order) / 200
            order.sort(key=rank.get)
    return best[1]


def least(blocks, sizes):
    """Find the lower bound."""
    ticks = {block[1] for block in blocks.values()}
    return max((sum(sizes[n] for n, b in blocks.items() if b[1] <= t <= b[2]) for t in ticks),
               default=0)


def settled(order, crowd, sizes):
    """Place by first fit in this order."""
    plan = {}
    for name in order:
        at = 0
        for start, end in sorted((plan[n], plan[n] + sizes[n]) for n in crowd[name] if n in plan):
            if start - at >= sizes[name]:
                break
            at = max(at, end)
        plan[name] = at
    return plan


# %% simple_and_slow | right: all that is alive is looked at again and again.
# %% q3
def lower_bound(blocks):
    """The most bytes that live in one step."""
    alive, most = [], 0
    for size, first, last in sorted(blocks.values(), key=lambda block: block[1]):
        alive = [(end, bytes) for end, bytes in alive if end >= first]
        alive.append((last, aligned(size)))
        most = max(most, sum(bytes for _, bytes in alive))
    return most

# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan = {}

    def free(at, need, walls):
        return all(at + need <= low or high <= at for low, high in walls)

    for name, (size, first, last) in blocks.items():
        walls = [(plan[other], plan[other] + aligned(blocks[other][0])) for other in plan
                 if blocks[other][0] and blocks[other][1] <= last and first <= blocks[other][2]]
        tries = sorted({0} | {high for _, high in walls})
        plan[name] = next(at for at in tries if free(at, aligned(size), walls)) if size else 0
    return plan


# %% a_plain_student | right: loops and dicts, written from the ideas.
# %% q1
def live_ranges(program, fetches):
    """Find (first step, last step) of each value with bytes of its own."""
    base = {}
    first = {}
    last = {}
    for t in range(len(program)):
        s = program[t]
        if s["kind"] == "view":
            base[s["name"]] = base[s["reads"][0]]
        else:
            base[s["name"]] = s["name"]
            first[s["name"]] = t
            last[s["name"]] = t
        for r in s["reads"]:
            last[base[r]] = t
    for f in fetches:
        last[base[f]] = len(program) - 1
    result = {}
    for name in first:
        result[name] = (first[name], last[name])
    return result

# %% q2
def problems(blocks, plan):
    """List everything that is wrong with a plan."""
    result = []
    good = []
    for name in blocks:
        if name not in plan:
            result.append(("missing", name))
        elif plan[name] % 16 != 0 or plan[name] < 0:
            result.append(("misaligned", name))
        else:
            good.append(name)
    good.sort()
    for i in range(len(good)):
        for j in range(i + 1, len(good)):
            a, b = good[i], good[j]
            size_a, first_a, last_a = blocks[a]
            size_b, first_b, last_b = blocks[b]
            in_time = first_a <= last_b and first_b <= last_a
            in_space = (plan[a] < plan[b] + aligned(size_b)
                        and plan[b] < plan[a] + aligned(size_a))
            if size_a > 0 and size_b > 0 and in_time and in_space:
                result.append(("overlap", a, b))
    return result

# %% q3
def lower_bound(blocks):
    """Find the most bytes that are live in one step."""
    best = 0
    for _, t, _ in blocks.values():
        total = 0
        for size, first, last in blocks.values():
            if first <= t <= last:
                total += aligned(size)
        best = max(best, total)
    return best

# %% q4
def first_fit(blocks):
    """Place each block at the lowest offset that is free for it, in their order."""
    plan = {}
    for name in blocks:
        size, first, last = blocks[name]
        taken = []
        for other in plan:
            if blocks[other][1] <= last and first <= blocks[other][2] and blocks[other][0] > 0:
                taken.append((plan[other], plan[other] + aligned(blocks[other][0])))
        taken.sort()
        at = 0
        for start, end in taken:
            if at + aligned(size) <= start:
                break
            if end > at:
                at = end
        plan[name] = at if size > 0 else 0
    return plan

# %% q5
def in_place(program, fetches):
    """Find the base that each result is written over, for results that can be."""
    base = {}
    size = {}
    last = {}
    for t, s in enumerate(program):
        size[s["name"]] = s["bytes"]
        if s["kind"] == "view":
            base[s["name"]] = base[s["reads"][0]]
        else:
            base[s["name"]] = s["name"]
        for r in s["reads"]:
            last[base[r]] = t
    for f in fetches:
        last[base[f]] = len(program)
    result = {}
    for t, s in enumerate(program):
        if s["kind"] != "elementwise":
            continue
        for x in s["reads"]:
            b = base[x]
            if size[x] != s["bytes"] or size[b] != s["bytes"]:
                continue
            if last[b] > t:
                continue
            others = [y for y in s["reads"] if y != x and base[y] == b]
            if others:
                continue
            result[s["name"]] = b
            break
    return result

# %% q6
def pack(blocks):
    """Find a plan without problems whose arena is small."""
    if not blocks:
        return {}
    rng = random.Random(5)
    names = list(blocks)
    size = {}
    for name in names:
        size[name] = aligned(blocks[name][0])
    neighbours = {}
    for a in names:
        neighbours[a] = []
        for b in names:
            if a != b and blocks[a][1] <= blocks[b][2] and blocks[b][1] <= blocks[a][2]:
                neighbours[a].append(b)
    bound = 0
    for a in names:
        live = size[a]
        for b in neighbours[a]:
            if blocks[b][1] <= blocks[a][1]:
                live += size[b]
        bound = max(bound, live)

    def fit(order):
        plan = {}
        for name in order:
            taken = [(plan[b], plan[b] + size[b]) for b in neighbours[name] if b in plan]
            taken.sort()
            at = 0
            for start, end in taken:
                if at + size[name] <= start:
                    break
                if end > at:
                    at = end
            plan[name] = at
        return plan

    priority = {}
    for name in names:
        priority[name] = size[name]
    best, best_arena = None, None
    for _ in range(600):
        plan = fit(sorted(names, key=lambda name: -priority[name]))
        arena = max(plan[name] + size[name] for name in names)
        if best is None or arena < best_arena:
            best, best_arena = plan, arena
        if best_arena <= bound * 1.03:
            break
        for name in names:  # whoever stuck out of the top goes earlier next time
            if plan[name] + size[name] > bound:
                priority[name] += 60 * rng.random()
    return best


# %% sorted_by_their_ends | right: what is in the way is sorted by its end, where no later one can
# end lower.
# %% q4
def first_fit(blocks):
    plan = {}
    for name, (size, first, last) in blocks.items():
        way = sorted(
            (plan[other] + aligned(blocks[other][0]), plan[other])
            for other in plan
            if blocks[other][0] and blocks[other][1] <= last and first <= blocks[other][2]
        )
        at = 0
        for end, begin in way:
            if size and at + aligned(size) > begin:
                at = max(at, end)
        plan[name] = at if size else 0
    return plan
