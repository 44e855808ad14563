"""Loses q3: the first share itself becomes the total, which a rule may fill anew."""
# %% q3
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = [None] * len(captured)
    for carry, after in zip(carries, bars[1:]):
        _, parts = loop.back([np.array(x) for x in carry], captured, [np.array(b) for b in after])
        for at, part in enumerate(parts):
            if part is not None and totals[at] is None:
                totals[at] = part
            elif part is not None:
                totals[at] = totals[at] + part
    pairs = zip(totals, captured)
    return [np.zeros(np.shape(x)) if total is None else total for total, x in pairs]
