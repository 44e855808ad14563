"""Wrong answers to q4 of ps7."""


# %% adds_into_the_answer | loses q4: the first cotangent of `reverse` becomes the total, and is
# changed.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    places = [*zip(start_at, start_bars), *zip(captured_at, inside_bars)]
    for i in range(len(values)):
        mine = [bar for j, bar in places if j == i and bar is not None]
        for bar in mine:
            totals[i] = mine[0]
        for bar in mine[1:]:
            totals[i] += bar
    return totals


# %% asked_for_each_value | loses q4: the loop's way back is walked once for each value.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    for _ in values[1:]:
        start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    places = [*zip(start_at, start_bars), *zip(captured_at, inside_bars)]
    for i, bar in places:
        if bar is not None:
            totals[i] += bar
    return totals


# %% by_their_address | loses q4: values are found by their arrays: one array at two places is one
# value.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    places = [*zip(start_at, start_bars), *zip(captured_at, inside_bars)]
    for i, bar in places:
        first = next(j for j, value in enumerate(values) if value is values[i])
        if bar is not None:
            totals[first] += bar
    return totals


# %% by_their_numbers | loses q4: values are found by their numbers: equal ones are one.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    places = [*zip(start_at, start_bars), *zip(captured_at, inside_bars)]
    for i, bar in places:
        for j, value in enumerate(values):
            if bar is not None and np.array_equal(value, values[i]):
                totals[j] += bar
    return totals


# %% hands_on_the_answer | loses q4: a value with one place gets the array of `reverse` itself.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    places = [*zip(start_at, start_bars), *zip(captured_at, inside_bars)]
    for i, bar in places:
        if bar is not None:
            totals[i] = bar if not totals[i].any() else totals[i] + bar
    return totals


# %% numbers_are_no_arrays | loses q4: a share that is a NumPy number is left out.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    found = [np.zeros(np.shape(value)) for value in values]
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, captured_bars = reverse(start, captured, bars)
    for places, shares in ((start_at, start_bars), (captured_at, captured_bars)):
        for i, share in zip(places, shares):
            if isinstance(share, np.ndarray):
                found[i] = found[i] + share
    return [np.array(bar, float) for bar in found]


# %% one_zero_for_all | loses q4: values without a cotangent share the zeros of their shape.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    zeros = {np.shape(x): np.zeros(np.shape(x)) for x in values}
    found = [zeros[np.shape(x)] for x in values]
    answers = reverse([values[i] for i in start_at], [values[i] for i in captured_at], bars)
    for places, answer in zip((start_at, captured_at), answers):
        for i, bar in zip(places, answer):
            if bar is not None:
                found[i] = np.array(found[i] + bar, dtype=float)
    return found


# %% start_or_captured | loses q4: a value that starts the loop is not looked for among the
# captured.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    others = [pair for pair in zip(captured_at, inside_bars) if pair[0] not in start_at]
    places = [*zip(start_at, start_bars), *others]
    for i, bar in places:
        if bar is not None:
            totals[i] += bar
    return totals


# %% the_last_place_wins | loses q4: a dict from the place to its cotangent holds one of them.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    places = [*zip(start_at, start_bars), *zip(captured_at, inside_bars)]
    for i, bar in dict(places).items():
        if bar is not None:
            totals[i] += bar
    return totals


# %% unused_are_none | loses q4: a value without a place gets None.
def value_bars(reverse, values, start_at, captured_at, bars):
    """The cotangent of each value, from those of the places where it stands."""
    start, captured = [values[i] for i in start_at], [values[i] for i in captured_at]
    start_bars, inside_bars = reverse(start, captured, bars)
    totals = [np.zeros(np.shape(value)) for value in values]
    places = [*zip(start_at, start_bars), *zip(captured_at, inside_bars)]
    for i, bar in places:
        if bar is not None:
            totals[i] += bar
    used = {*start_at, *captured_at}
    return [total if i in used else None for i, total in enumerate(totals)]
