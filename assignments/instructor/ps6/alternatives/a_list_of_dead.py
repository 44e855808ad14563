"""Full points: lives closed when they end; the longest blocks first, then chance."""
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
