"""Full points: the lowest free place is 0 or an end."""
# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan = {}
    for name, block in blocks.items():
        way = [(plan[other], plan[other] + room(blocks[other][0])) for other in plan
               if max(block[1], blocks[other][1]) <= min(block[2], blocks[other][2])]
        free = (at for at in sorted({0, *(end for _, end in way)})
                if not any(start < at + room(block[0]) and at < end for start, end in way))
        plan[name] = next(free) if block[0] else 0
    return plan
