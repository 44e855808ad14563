"""Loses q6: the shares of the captured values are kept, and added up at the end."""
# %% q6 after the key
def slopes_in_pieces(loop, start, captured, bars, every):
    marks, carry, count, shares = [], start, 0, []
    while loop.condition(carry, captured):
        if count % every == 0:
            marks.append(carry)
        carry = loop.body(carry, captured)
        count += 1
    now = float_bars(bars, start)
    while marks:
        first = every * (len(marks) - 1)
        piece = [marks.pop()]
        while first + len(piece) < count:
            piece.append(loop.body(piece[-1], captured))
        count = first
        while piece:
            now, parts = loop.back(piece.pop(), captured, now)
            now = float_bars(now, start)
            shares.append(float_bars(parts, captured))
    totals = float_bars([None] * len(captured), captured)
    return now, [sum(each, total) for total, *each in zip(totals, *shares)]
