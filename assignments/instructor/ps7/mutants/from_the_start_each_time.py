"""Loses q6: each carry is made again from the start: no memory, n² calls."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    carry, count = start, 0
    while loop.condition(carry, captured):
        carry = loop.body(carry, captured)
        count += 1
    now, totals = filled(bars, start), filled([None] * len(captured), captured)
    for left in reversed(range(count)):
        carry = start
        for _ in range(left):
            carry = loop.body(carry, captured)
        now, parts = loop.back(carry, captured, now)
        now = filled(now, start)
        totals = [a + b for a, b in zip(totals, filled(parts, captured))]
    return now, totals


def filled(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]
