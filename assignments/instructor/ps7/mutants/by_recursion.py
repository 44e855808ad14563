"""Loses q2: a nested call for each iteration, which ends at a thousand."""
# %% q2
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    if len(carries) == 1:
        return [as_bars(bars, carries[0])]
    later = walk_back(loop, carries[1:], captured, bars)
    into, _ = loop.back(copies(carries[0]), captured, copies(later[0]))
    return [as_bars(into, carries[0]), *later]


def as_bars(bars, values):
    pairs = zip(bars, values, strict=True)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    return [np.array(value) for value in values]
