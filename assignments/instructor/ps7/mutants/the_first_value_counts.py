"""Loses q6: takes the first carried value for the number of iterations."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    crumbs, carry = [], list(start)
    while loop.condition(carry, captured):
        if int(carry[0] - start[0]) % every == 0:
            crumbs.append(carry)
        carry = loop.body(carry, captured)
    n, shapes = int(carry[0] - start[0]), [np.shape(x) for x in carry]
    bars = [np.zeros(s) if b is None else np.array(b, dtype=float) for b, s in zip(bars, shapes)]
    totals = [np.zeros(np.shape(x)) for x in captured]
    while crumbs:
        piece = [crumbs.pop()]
        while len(piece) < min(every, n - len(crumbs) * every):
            piece.append(loop.body(piece[-1], captured))
        while piece:
            into, parts = loop.back(piece.pop(), captured, bars)
            bars = [np.zeros(s) if b is None else np.array(b, dtype=float)
                    for b, s in zip(into, shapes)]
            totals = [np.array(t if p is None else t + p) for t, p in zip(totals, parts)]
    return bars, totals
