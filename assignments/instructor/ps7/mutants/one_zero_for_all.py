"""Loses q4: values without a cotangent share the zeros of their shape."""
# %% q4
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
