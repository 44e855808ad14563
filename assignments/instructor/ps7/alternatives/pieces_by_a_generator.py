"""Full points: generators of steps and of pieces; cotangents in arrays filled by number."""
# %% q1
def run_loop(loop, start, captured, most=1000):
    """The carries of a loop: the start, then one for each iteration."""

    def steps(carry):
        yield tuple(x.copy() for x in carry)
        while loop.condition([x.copy() for x in carry], captured):
            carry = [np.array(x) for x in loop.body([x.copy() for x in carry], captured)]
            yield tuple(x.copy() for x in carry)

    found = []
    run = steps([np.array(x) for x in start])
    while len(found) <= most:
        try:
            found.append(list(next(run)))
        except StopIteration:
            return found
    if loop.condition([x.copy() for x in found[-1]], captured):
        raise RuntimeError(most)
    return found

# %% q2
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [[np.zeros(np.shape(x), float) for x in carry] for carry in carries]
    for number in range(len(carries) - 1, -1, -1):
        if number < len(carries) - 1:
            given = [x.copy() for x in map(np.asarray, carries[number])]
            bars, _ = loop.back(given, captured, [bar.copy() for bar in found[number + 1]])
        for mine, bar in zip(found[number], bars):
            mine[...] = 0 if bar is None else bar
    return found

# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    crumbs, carry, n = {}, start, 0
    while loop.condition(carry, captured):
        if n % every == 0:
            crumbs[n] = carry
        n, carry = n + 1, loop.body(carry, captured)
    start_bars = [np.zeros(np.shape(x)) for x in carry]
    for mine, bar in zip(start_bars, bars):
        mine += 0 if bar is None else bar
    carry = None

    def last_first(n):
        for first in sorted(crumbs, reverse=True):
            piece = {first: crumbs.pop(first)}
            for number in range(first + 1, n):
                piece[number] = loop.body(piece[number - 1], captured)
            n = first
            while piece:
                yield piece.popitem()[1]

    totals = [np.zeros(np.shape(x)) for x in captured]
    for carry in last_first(n):
        into, parts = loop.back(carry, captured, start_bars)
        start_bars = [np.zeros(np.shape(x)) + (0 if bar is None else bar)
                      for x, bar in zip(carry, into)]
        for mine, part in zip(totals, parts):
            mine += 0 if part is None else part
    return list(map(np.array, start_bars)), totals
