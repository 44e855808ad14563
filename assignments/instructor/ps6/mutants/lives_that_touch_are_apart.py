"""Loses q2: in the step where they touch both are needed."""
# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    found, placed = [], []
    for name in sorted(blocks):
        size, first, last = blocks[name]
        if name not in plan:
            found.append(("lost", name))
        elif plan[name] < 0 or plan[name] % 16:
            found.append(("odd", name))
        else:
            here = name, plan[name], plan[name] + room(size), first, last
            found += [("clash", there[0], name) for there in placed if is_shared(here, there)]
            placed.append(here)
    return found


def is_shared(here, there):
    """Whether two placed blocks share a byte in a step."""
    _, start, end, first, last = here
    _, other_start, other_end, other_first, other_last = there
    steps = max(first, other_first) < min(last, other_last) or first == last == other_first
    steps = steps or other_first == other_last == first == last
    return steps and max(start, other_start) < min(end, other_end)
