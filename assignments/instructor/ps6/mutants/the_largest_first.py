"""Loses q4: another order than that of the dict."""
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in sorted(blocks.items(), key=lambda item: -item[1][0]):
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= room(size):
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan
