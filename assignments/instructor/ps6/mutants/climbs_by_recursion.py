"""Loses q4: it climbs by calling itself, once for each block in the way: a thousand blocks that all
live at once are more than Python's stack of calls holds."""

# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""

    def climb(floor, need, walls):
        wall = next(walls, None)
        if wall is None or wall[0] - floor >= need:
            return floor
        return climb(max(floor, wall[1]), need, walls)

    plan = {}
    for name, (size, first, last) in blocks.items():
        walls = sorted((plan[other], plan[other] + room(blocks[other][0])) for other in plan
                       if blocks[other][1] <= last and first <= blocks[other][2])
        plan[name] = climb(0, room(size), iter(walls)) if size else 0
    return plan
