"""Loses q2: two blocks with equal numbers in one place are taken for one block: a and b, both
(32, 0, 2) at offset 0, are no clash."""

# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, boxes = [], []
    for name in sorted(blocks):
        if name not in plan:
            found.append(("lost", name))
        elif plan[name] < 0 or plan[name] % 16 != 0:
            found.append(("odd", name))
        else:
            boxes.append((name, (plan[name], *blocks[name])))
    for a, one in boxes:
        for b, other in boxes:
            if one == other or a > b:  # itself, or seen from the other side
                continue
            at, size, first, last = one
            its, its_size, its_first, its_last = other
            if size and its_size and at < its + room(its_size) and its < at + room(size):
                if first <= its_last and its_first <= last:
                    found.append(("clash", a, b))
    return found
