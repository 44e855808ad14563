"""Loses q6: keeps the checkpoints of a loop and start, though other values are captured next."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every, known={}):
    """The cotangents of start and captured, from a checkpoint for every so many iterations."""
    key = (id(loop), every, *(np.asarray(x).tobytes() for x in start))
    if key not in known:
        known.clear()  # one run is enough to keep
        crumbs, carry, n = [], list(start), 0
        while loop.condition(carry, captured):
            if n % every == 0:
                crumbs.append(carry)
            carry, n = loop.body(carry, captured), n + 1
        known[key] = (loop, crumbs, [np.shape(x) for x in carry], n)
    _, crumbs, shapes, n = known[key]
    bars = [np.zeros(s) if b is None else np.array(b, dtype=float) for b, s in zip(bars, shapes)]
    totals = [np.zeros(np.shape(x)) for x in captured]
    for number in reversed(range(len(crumbs))):
        piece = [crumbs[number]]
        while len(piece) < min(every, n - number * every):
            piece.append(loop.body(piece[-1], captured))
        while piece:
            into, parts = loop.back(piece.pop(), captured, bars)
            bars = [np.zeros(s) if b is None else np.array(b, dtype=float)
                    for b, s in zip(into, shapes)]
            totals = [np.array(t if p is None else t + p) for t, p in zip(totals, parts)]
    return bars, totals
