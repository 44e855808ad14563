"""Loses q2: the list begins with the seeds."""
# %% q2
def walk_back(loop, carries, captured, bars):
    """The cotangents of all carries of a run, first to last."""
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return found


def as_bars(bars, values):
    """The bars as new arrays of floats; zeros for None."""
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar, float) for bar, x in pairs]


def copies(values):
    """New arrays for all values."""
    return [np.array(value) for value in values]
