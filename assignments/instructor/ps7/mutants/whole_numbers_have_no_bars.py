"""Loses q2: the cotangent of a whole number is zeros, whatever its seed or its rule says."""
# %% q2
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""

    def filled(bars, carry):
        return [np.zeros(np.shape(x)) if bar is None or np.asarray(x).dtype.kind in "iub"
                else np.array(bar, dtype=float) for bar, x in zip(bars, carry)]

    found = [filled(bars, carries[-1])]
    for carry in reversed(carries[:-1]):
        given = [np.array(x) for x in carry]
        into, _ = loop.back(given, captured, [np.array(bar) for bar in found[0]])
        found.insert(0, filled(into, carry))
    return found
