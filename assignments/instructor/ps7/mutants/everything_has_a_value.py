"""Loses q5: `.value` of all that a body returns, which may be a plain array."""
# %% q5 after the key
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    carry, inside, kept = duals(start, start_dots), duals(captured, captured_dots), []
    while loop.condition([x.value for x in carry], captured):
        kept.append(carry)
        carry = loop.body(carry, inside)
    now, totals = filled_in(bars, start), filled_in([None] * len(captured), captured)
    for before in reversed(kept):
        now, parts = loop.back(before, inside, now)
        now = filled_in(now, start)
        totals = [a + b for a, b in zip(totals, filled_in(parts, captured))]
    return tuple([np.array(dot_of(x)) for x in found] for found in (now, totals))
