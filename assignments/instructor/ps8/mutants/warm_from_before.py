"""Loses q6: work that was called by an earlier measurement is not called for nothing again."""
# %% q6 after the key
WARM = set()


def seconds(work, clock, times):
    if work not in WARM:
        WARM.add(work)
        work()
    found = []
    for _ in range(times):
        begun = clock()
        work()
        found.append(clock() - begun)
    return float(np.median(found))
