"""Full points: comprehensions, and strings for the rules."""
# %% q2
def problems(blocks, plan):
    """All that is wrong with a plan."""
    strange = {name for name, at in plan.items() if at & 15 or at < 0}
    state = {name: "odd" if name in strange else "" if name in plan else "lost" for name in blocks}
    boxes = [(name, plan[name], plan[name] + room(size), first, last + 1)
             for name, (size, first, last) in blocks.items() if not state[name] and size]
    found = [(said, name) for name, said in state.items() if said]
    for number, (a, low, high, born, gone) in enumerate(boxes):
        found.extend(("clash", min(a, b), max(a, b)) for b, *box in boxes[:number]
                     if low < box[1] and box[0] < high and born < box[3] and box[2] < gone)
    return found
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan, columns = {}, []
    for name, (size, first, last) in blocks.items():
        way = sorted(columns, key=lambda box: box[:2])
        at, tall = 0, room(size)
        for low, high, born, dead in way:
            if tall and dead >= first and born <= last and low < at + tall and high > at:
                at = high
        plan[name] = at
        columns.append((at, at + tall, first, last))
    return plan
