"""Loses q4: it tries the top of each block that came before, from below, and looks each time at all
in the way: a thousand blocks that all live at once take a minute and not a second."""

# %% q4
def first_fit(blocks):
    """The plan that gives each block the lowest free place, in their order."""
    plan = {}

    def free(at, need, walls):
        return all(at + need <= low or high <= at for low, high in walls)

    for name, (size, first, last) in blocks.items():
        walls = [(plan[other], plan[other] + room(blocks[other][0])) for other in plan
                 if blocks[other][0] and blocks[other][1] <= last and first <= blocks[other][2]]
        tries = sorted({0} | {high for _, high in walls})
        plan[name] = next(at for at in tries if free(at, room(size), walls)) if size else 0
    return plan
