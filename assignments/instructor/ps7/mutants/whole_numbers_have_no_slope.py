"""Loses q3: a whole number that is captured gets zeros, whatever the rule says."""
# %% q3
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    sums = [np.zeros(np.shape(w)) for w in captured]
    for carry, left in zip(carries, bars[1:]):
        given = [np.array(x) for x in carry]
        _, parts = loop.back(given, captured, [np.array(bar) for bar in left])
        for i, part in enumerate(parts):
            if part is not None and np.asarray(captured[i]).dtype.kind == "f":
                sums[i] = sums[i] + np.array(part)
    return [np.array(total) for total in sums]
