"""Loses q6: the call that pays for more is among those measured."""
# %% q6 after the key
def seconds(work, clock, times):
    found = []
    for _ in range(times + 1):
        begun = clock()
        work()
        found.append(clock() - begun)
    return float(np.median(found))
