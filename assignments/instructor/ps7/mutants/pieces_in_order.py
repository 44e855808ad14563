"""Loses q6: the first piece is walked back first."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    ends = [*range(every, count, every), count]
    for number, mark in enumerate(marks):
        first, count, piece = every * number, ends[number], [mark]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            for total, part in zip(totals, float_bars(parts, captured)):
                total += part
    return now, totals


def float_bars(bars, values):
    """New arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]
