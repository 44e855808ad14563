"""Loses q6: a piece is never longer than ten, whatever `every` says."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    every = min(every, 10)
    crumbs, carry, n = [], list(start), 0
    while loop.condition(carry, captured):
        if n % every == 0:
            crumbs.append(carry)
        carry, n = loop.body(carry, captured), n + 1
    shapes = [np.shape(x) for x in carry]
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
