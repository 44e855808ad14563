"""Loses q6: a nested call for each iteration of a piece: a thousand of them are too deep."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)

    def through(carry, left, now):
        if left == 0:
            return now
        after = loop.body(carry, captured) if left > 1 else None
        now = through(after, left - 1, now)
        now, parts = loop.back(carry, captured, now)
        for total, part in zip(totals, float_bars(parts, captured)):
            total += part
        return float_bars(now, start)

    while marks:
        first = every * (len(marks) - 1)
        now = through(marks.pop(), count - first, now)
        count = first
    return now, totals


def float_bars(bars, values):
    pairs = zip(bars, values)
    return [np.array(bar, float) if bar is not None else np.zeros(np.shape(x)) for bar, x in pairs]
