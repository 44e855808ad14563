"""Loses q5: the slope of a whole number is thought to be zeros, which never move."""
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([value_of(x) for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))


def duals(values, dots):
    pairs = zip(dots, values)
    return [Dual(x, np.zeros(np.shape(x)) if dot is None else dot) for dot, x in pairs]


def filled_in(bars, values):
    still = [bar is None or np.asarray(x).dtype.kind == "i" for bar, x in zip(bars, values)]
    return [np.zeros(np.shape(x)) if s else bar for s, bar, x in zip(still, bars, values)]
