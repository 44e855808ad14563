"""Wrong answers to q3 of ps7."""


# %% a_mean_of_shares | loses q3: the mean over the iterations, where the sum is right.
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, after in zip(carries, bars[1:]):
        into = [np.array(x) for x in carry], captured, [np.array(bar) for bar in after]
        _, parts = loop.back(*into)
        for total, part in zip(totals, parts):
            if part is not None:
                total += part
    return [total / max(1, len(carries) - 1) for total in totals]


# %% a_sum_by_recursion | loses q3: a nested call for each iteration, which ends at a thousand.
def captured_bars(loop, carries, captured, bars):
    if len(carries) < 2:
        return [np.zeros(np.shape(value)) for value in captured]
    totals = captured_bars(loop, carries[1:], captured, bars[1:])
    carry, after = ([np.array(x) for x in values] for values in (carries[0], bars[1]))
    _, parts = loop.back(carry, captured, after)
    return [t if p is None else t + np.array(p) for t, p in zip(totals, parts)]


# %% bars_of_what_came_in | loses q3: each share is made with the bars of the carry that came in.
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, after in zip(carries[:-1], bars[:-1]):
        into = [np.array(x) for x in carry], captured, [np.array(bar) for bar in after]
        _, parts = loop.back(*into)
        for total, part in zip(totals, parts):
            if part is not None:
                total += part
    return totals


# %% hands_over_what_was_given | loses q3: a rule that works in place gets the caller's carries and
# bars.
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


# %% shares_collected_first | loses q3: the shares are listed and added at the end: a rule may have
# filled them anew.
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


# %% stops_at_none | loses q3: the first None ends the sum.
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = [np.zeros(np.shape(value)) for value in captured]
    for carry, after in zip(carries, bars[1:]):
        into = [np.array(x) for x in carry], captured, [np.array(bar) for bar in after]
        _, parts = loop.back(*into)
        for total, part in zip(totals, parts):
            if part is None:
                return totals
            total += part
    return totals


# %% the_first_share_is_the_total | loses q3: the first share itself becomes the total, which a rule
# may fill anew.
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


# %% the_last_share_alone | loses q3: = for +=: only one iteration counts.
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


# %% the_same_sums_again | loses q3: the arrays of the sums serve the next call, too.
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


# %% totals_by_array | loses q3: adds up in a table by array: one that is captured twice gets both
# sums twice.
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = {id(x): np.zeros(np.shape(x)) for x in captured}
    for carry, left in zip(carries, bars[1:]):
        _, parts = loop.back([np.array(x) for x in carry], captured, [np.array(b) for b in left])
        for x, part in zip(captured, parts):
            if part is not None:
                totals[id(x)] = totals[id(x)] + part
    return [np.array(totals[id(x)]) for x in captured]


# %% whole_numbers_have_no_slope | loses q3: a whole number that is captured gets zeros, whatever
# the rule says.
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


# %% whole_totals | loses q3: a captured count would get whole zeros.
def captured_bars(loop, carries, captured, bars):
    """The cotangents of the captured values."""
    totals = [np.zeros_like(value) for value in captured]
    for carry, after in zip(carries, bars[1:]):
        into = [np.array(x) for x in carry], captured, [np.array(bar) for bar in after]
        _, parts = loop.back(*into)
        for total, part in zip(totals, parts):
            if part is not None:
                total += part
    return totals
