"""Full points: walks from the end, masks of bits for who lives with whom, plans from the top down.
"""

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
