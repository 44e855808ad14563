"""Full points: the last piece is kept on the way there, and not run again."""
# %% q6
def slopes_in_pieces(loop, start, captured, bars, every):
    marks, piece, carry = [], [], list(start)
    while loop.condition(carry, captured):
        if len(piece) == every:
            marks.append(piece[0])
            piece = []
        piece.append(carry)
        carry = loop.body(carry, captured)
    carry = None
    now = full(bars, start)
    totals = full([None for _ in captured], captured)
    while True:
        for before in iter(lambda: piece.pop() if piece else None, None):
            into, parts = loop.back(before, captured, now)
            now = full(into, start)
            for at, part in enumerate(full(parts, captured)):
                totals[at] = totals[at] + part
        if not marks:
            return now, [np.asarray(t) for t in totals]
        piece.append(marks.pop())
        while len(piece) < every:
            piece.append(loop.body(piece[-1], captured))


def full(bars, values):
    return [np.zeros(np.shape(v)) if b is None else 1.0 * np.array(b) for b, v in zip(bars, values)]
