"""Loses q4: the gap that fits best, not the lowest."""
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        lowest, gaps = 0, []
        for start, end, born, dead in sorted(placed):
            if born <= last and first <= dead:
                if start - lowest >= room(size):
                    gaps.append((start - lowest, lowest))
                lowest = max(lowest, end)
        best = min(gaps)[1] if gaps else lowest
        plan[name] = best if size else 0
        placed.append((plan[name], plan[name] + room(size), first, last))
    return plan
