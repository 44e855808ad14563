"""Loses q3: adds up in a table by array: one that is captured twice gets both sums twice."""
# %% q3
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = {id(x): np.zeros(np.shape(x)) for x in captured}
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.back([np.array(x) for x in carry], captured, [np.array(b) for b in left])
        for x, part in zip(captured, parts):
            if part is not None:
                totals[id(x)] = totals[id(x)] + part
    return [np.array(totals[id(x)]) for x in captured]
