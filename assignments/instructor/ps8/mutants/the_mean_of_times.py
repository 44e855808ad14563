"""Loses q6: one call that was disturbed moves the result."""
# %% q6 after the key
def seconds(work, clock, times):
    work()
    found = []
    for _ in range(times):
        begun = clock()
        work()
        found.append(clock() - begun)
    return float(np.mean(found))
