"""Loses q5: a step of 1e-7 into the imaginary direction, too far along dots of a million."""
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    """How fast the cotangents of start and captured move."""
    step = 1e-7

    def moved(values, dots):
        return [x if dot is None or not np.any(dot) else x + 1j * step * dot
                for x, dot in zip(values, dots)]

    def filled(some, others):
        return [np.zeros(np.shape(x)) if b is None else b for b, x in zip(some, others)]

    there = moved(captured, captured_dots)
    crumbs = [moved(start, start_dots)]
    while loop.condition([np.real(x) for x in crumbs[-1]], captured):
        crumbs.append(loop.body(crumbs[-1], there))
    bars = filled(bars, crumbs[-1])
    totals = filled([None] * len(captured), captured)
    for carry in crumbs[-2::-1]:
        into, parts = loop.back(carry, there, bars)
        bars = filled(into, carry)
        totals = [t if part is None else t + part for t, part in zip(totals, parts)]
    return ([np.array(np.imag(b) / step) for b in bars],
            [np.array(np.imag(t) / step) for t in totals])
