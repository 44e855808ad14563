"""Loses q6: of an even number, one of the two in the middle."""
# %% q6 after the key
def seconds(work, clock, times):
    work()
    found = []
    for _ in range(times):
        begun = clock()
        work()
        found.append(clock() - begun)
    return sorted(found)[(times - 1) // 2]
