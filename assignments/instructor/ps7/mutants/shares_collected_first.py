"""Loses q3: the shares are listed and added at the end: a rule may have filled them anew."""
# %% q3
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    shares = []
    for carry, after in zip(carries, bars[1:]):
        into = [np.array(x) for x in carry], captured, [np.array(b) for b in after]
        shares.append(list(loop.back(*into)[1]))
    totals = []
    for at, value in enumerate(captured):
        mine = [share[at] for share in shares if share[at] is not None]
        totals.append(np.zeros(np.shape(value)) + sum(mine))
    return totals
