"""Loses q4: one offset after the other is tried."""
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        at = 0
        way = [(start, end) for start, end, born, dead in placed if born <= last and first <= dead]
        while any(max(at, start) < min(at + room(size), end) for start, end in way):
            at += 16
        plan[name] = at
        placed.append((at, at + room(size), first, last))
    return plan
