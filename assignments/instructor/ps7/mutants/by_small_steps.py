"""Loses q5: a difference of two slopes: two runs, and half of the digits."""
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    def at(step):
        values = []
        for given, dots in ((start, start_dots), (captured, captured_dots)):
            pairs = zip(given, dots)
            values.append([x if dot is None else x + step * dot for x, dot in pairs])
        carry, inside = values
        kept = []
        while loop.condition(carry, inside):
            kept.append(carry)
            carry = loop.body(carry, inside)
        now = filled_in(bars, start)
        totals = filled_in([None] * len(captured), captured)
        for before in reversed(kept):
            now, parts = loop.back(before, inside, now)
            now = filled_in(now, start)
            totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
        return now, totals
    pairs = zip(at(1e-5), at(-1e-5))
    return tuple([np.array((a - b) / 2e-5, float) for a, b in zip(*pair)] for pair in pairs)


def filled_in(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else bar for bar, x in pairs]
