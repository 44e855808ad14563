"""Loses q2: whole seeds become floats at the end; the rule, which gets floats, got them whole."""
# %% q2
def walk_back(loop, carries, captured, bars):
    found = [as_bars(bars, carries[-1])]
    for carry in carries[-2::-1]:
        into, _ = loop.back(copies(carry), captured, copies(found[-1]))
        found.append(as_bars(into, carry))
    return [[np.array(x, float) for x in y] for y in found[::-1]]


def as_bars(bars, values):
    pairs = zip(bars, values)
    return [np.zeros(np.shape(x)) if bar is None else np.array(bar) for bar, x in pairs]


def copies(values):
    return [np.array(value) for value in values]
