"""Loses q4: only the block that came last is looked at for a place above."""
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, placed = {}, []
    for name, (size, first, last) in blocks.items():
        tried = [0] + [end for _, end, _, _ in placed]
        for at in sorted(tried):
            top = at + room(size)
            if all(end <= at or start >= top or dead < first or born > last or not size
                   for start, end, born, dead in reversed(placed)):
                break
        plan[name] = at if placed and size else 0
        placed.append((plan[name], plan[name] + room(size), first, last))
        placed = placed[-3:]
    return plan
