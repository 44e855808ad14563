"""Loses q4: the first cotangent of `reverse` becomes the total, and is changed."""
# %% q4
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
