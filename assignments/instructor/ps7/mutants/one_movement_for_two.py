"""Loses q5: hands out what `back` answered: one array, where one Dual stands at two places."""
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""

    def still(x):
        return np.zeros(np.shape(value_of(x)))

    def dual(x, dot):
        return Dual(x, still(x) if dot is None else dot)

    moved = [dual(x, dot) for x, dot in zip(captured, captured_dots)]
    crumbs = [[dual(x, dot) for x, dot in zip(start, start_dots)]]
    while loop.condition([value_of(x) for x in crumbs[-1]], captured):
        crumbs.append(loop.body(crumbs[-1], moved))
    bars = [still(x) if bar is None else bar for bar, x in zip(bars, crumbs.pop())]
    totals = [still(x) for x in captured]
    while crumbs:
        carry = crumbs.pop()
        bars, parts = loop.back(carry, moved, bars)
        bars = [still(x) if bar is None else bar for bar, x in zip(bars, carry)]
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return ([np.asarray(dot_of(b), dtype=float) for b in bars],
            [np.asarray(dot_of(t), dtype=float) for t in totals])
