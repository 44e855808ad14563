"""Loses q6: blocks of 0 bytes are taken out of the caller's dict and put back: afterwards they
stand at its end, and the dict has another order than before."""

# %% q6 after the key
PLANNER = pack


def pack(blocks):
    """A plan without problems whose arena is small."""
    nothing = {name: blocks.pop(name) for name in list(blocks) if not blocks[name][0]}
    plan = PLANNER(blocks) | dict.fromkeys(nothing, 0)
    blocks.update(nothing)
    return plan
