"""Loses q6: a checkpoint is set after the iteration, and the walk thinks it was before."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        begun, carry = carry, loop.body(carry, captured)
        if count % every == 0:
            marks.append(carry if count else begun)
        count += 1
    now = float_bars(bars, start)
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
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
