"""Loses q4: a value that starts the loop is not looked for among the captured."""
# %% q4
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
