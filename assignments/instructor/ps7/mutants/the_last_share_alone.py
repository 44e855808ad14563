"""Loses q3: = for +=: only one iteration counts."""
# %% q3
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, after in zip(carries, bars[1:]):
        into = [np.array(x) for x in carry], captured, [np.array(bar) for bar in after]
        _, parts = loop.back(*into)
        for total, part in zip(totals, parts):
            if part is not None:
                total[...] = part
    return totals
