"""Loses q6: what a piece has run is never forgotten."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    marks, carry, count = [], start, 0
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now, pieces = float_bars(bars, start), []
    totals = float_bars([None] * len(captured), captured)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        pieces.append([])
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
            pieces[-1].append(piece[-1])
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
