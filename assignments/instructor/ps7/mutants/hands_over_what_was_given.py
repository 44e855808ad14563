"""Loses q3: a rule that works in place gets the caller's carries and bars."""
# %% q3
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, after in zip(carries, bars[1:]):
        into = list(carry), captured, list(after)
        _, parts = loop.back(*into)
        for total, part in zip(totals, parts):
            if part is not None:
                total += part
    return totals
