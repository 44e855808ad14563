"""Loses q4: values are found by their numbers: equal ones are one."""
# %% q4
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
