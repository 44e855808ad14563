"""Loses q4: a share that is a NumPy number is left out."""
# %% q4
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
