"""Loses q3: a nested call for each iteration, which ends at a thousand."""
# %% q3
def captured_bars(loop, carries, captured, bars):
    if len(carries) < 2:
        return [np.zeros(np.shape(value)) for value in captured]
    totals = captured_bars(loop, carries[1:], captured, bars[1:])
    carry, after = ([np.array(x) for x in values] for values in (carries[0], bars[1]))
    _, parts = loop.back(carry, captured, after)
    return [t if p is None else t + np.array(p) for t, p in zip(totals, parts)]
