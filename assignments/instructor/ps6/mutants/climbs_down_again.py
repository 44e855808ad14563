"""Loses q4: after a low block the search goes on at its end, below a high one."""
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest = 0
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= room(size):
                    break
                lowest = end
        plan[name] = lowest
        placed.append((lowest, lowest + room(size), first, last))
    return plan
