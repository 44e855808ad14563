"""Loses q6: a plan is remembered for the names and bytes of the blocks: a second net with the same
ones, whose blocks live at other times, gets the plan of the first."""

# %% q6 after the key
PACKED, PLANNER = {}, pack


def pack(blocks):
    """A plan without problems; what was planned once is not planned again."""
    key = tuple((name, block[0]) for name, block in blocks.items())
    if key not in PACKED:
        PACKED[key] = PLANNER(blocks)
    return dict(PACKED[key])
