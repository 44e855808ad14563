"""Loses q6: the median of the different times; equal ones count once."""
# %% q6 after the key
def seconds(work, clock, times):
    work()
    found = set()
    for _ in range(times):
        begun = clock()
        work()
        found.add(clock() - begun)
    return float(np.median(sorted(found)))
