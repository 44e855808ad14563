"""Loses q2: whether an offset is a multiple of 16 is asked of at / 16, a float: 2**60 + 8 seems to
be one, and its block is not odd."""

# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, good = [], []
    for name in sorted(blocks):
        if name not in plan:
            found.append(("lost", name))
        elif plan[name] < 0 or not (plan[name] / 16).is_integer():
            found.append(("odd", name))
        elif blocks[name][0]:
            size, first, last = blocks[name]
            for other, low, high, its_first, its_last in good:
                if low < plan[name] + room(size) and plan[name] < high:
                    if its_first <= last and first <= its_last:
                        found.append(("clash", other, name))
            good.append((name, plan[name], plan[name] + room(size), first, last))
    return found
