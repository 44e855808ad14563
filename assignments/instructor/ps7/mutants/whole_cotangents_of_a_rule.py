"""Loses q2: what the rule says in whole numbers stays whole."""
# %% q2
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""

    def fill(bars, carry):
        return [np.zeros(np.shape(x)) if bar is None else np.array(bar)
                for bar, x in zip(bars, carry)]

    found = [[np.array(bar, float) for bar in fill(bars, carries[-1])]]
    for carry in carries[-2::-1]:
        given = [np.array(x) for x in carry]
        into, _ = loop.back(given, captured, [np.array(bar) for bar in found[-1]])
        found.append(fill(into, carry))
    return found[::-1]
