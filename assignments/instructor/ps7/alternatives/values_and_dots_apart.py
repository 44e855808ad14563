"""Full points: Duals are made for one call and taken apart after it."""
# %% q5
def slopes_moved(loop, start, captured, bars, start_dots, captured_dots):
    def still(values):
        return [np.zeros(np.shape(x)) for x in values]

    def known(found, values):
        return [z if f is None else f for f, z in zip(found, still(values))]

    def apart(found):
        return [value_of(x) for x in found], [dot_of(x) for x in found]

    def together(values, dots):
        return list(map(Dual, values, dots))

    values, dots = list(start), known(start_dots, start)
    inside = together(captured, known(captured_dots, captured))
    trail = []
    while loop.condition(values, captured):
        trail.append((values, dots))
        values, dots = apart(loop.body(together(values, dots), inside))
    bar, bar_dot = known(bars, start), still(start)
    total_dot = still(captured)
    for values, dots in trail[::-1]:
        into, shares = loop.back(together(values, dots), inside, together(bar, bar_dot))
        bar, bar_dot = apart(known(into, start))
        total_dot = [a + dot_of(b) for a, b in zip(total_dot, known(shares, captured))]
    return [0.0 + x for x in bar_dot], [0.0 + x for x in total_dot]
