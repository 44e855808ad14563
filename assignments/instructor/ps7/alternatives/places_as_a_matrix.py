"""Full points: which value stands where, as a table of ones and zeros."""
# %% q4
def value_bars(reverse, values, start_at, captured_at, bars):
    places = list(start_at) + list(captured_at)
    chosen = [values[i] for i in places]
    k = len(start_at)
    answer = reverse(chosen[:k], chosen[k:], list(bars))
    flat = [*answer[0], *answer[1]]
    here = np.array([[i == j for j in places] for i in range(len(values))], dtype=bool)
    found = []
    for value, row in zip(values, here.reshape(len(values), len(places))):
        mine = [np.asarray(flat[at], float) for at in np.flatnonzero(row) if flat[at] is not None]
        found.append(np.sum([np.zeros(np.shape(value)), *mine], axis=0))
    return found
