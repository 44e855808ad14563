"""Loses q3: where nothing is left to compute, the fetch itself is listed, though it is fed."""
# %% q3 after the key
def needed(fetches, fed=(), needed=needed):
    lone = [x for x in fetches if x.op != "placeholder"] if len(fetches) == 1 else []
    return needed(fetches, fed) or lone
