"""Loses q2: only blocks next to each other in address are compared."""
# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name, (size, first, last) in blocks.items():
        if name not in plan:
            found.append(("lost", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("odd", name))
        elif size:
            placed.append((plan[name], plan[name] + room(size), first, last, name))
    placed.sort()
    for (_, end, first, last, a), (start, _, born, dead, b) in zip(placed, placed[1:]):
        if start < end and first <= dead and born <= last:
            found.append(("clash", *sorted([a, b])))
    return found
