"""Loses q3: the arrays of the sums serve the next call, too."""
# %% q3
def captured_bars(loop, carries, captured, bars, held={}):
    """The cotangents of the captured values."""
    totals = [held.setdefault((at, np.shape(x)), np.zeros(np.shape(x)))
              for at, x in enumerate(captured)]
    for total in totals:
        total[...] = 0
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.back([np.array(x) for x in carry], captured, [np.array(b) for b in left])
        for total, part in zip(totals, parts):
            if part is not None:
                total += part
    return totals
