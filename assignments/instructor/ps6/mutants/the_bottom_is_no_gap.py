"""Loses q4: the gap below the lowest block is not used."""
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if lowest and start - lowest >= room(size) or not size:
                    break
                lowest = max(lowest, end)
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan
