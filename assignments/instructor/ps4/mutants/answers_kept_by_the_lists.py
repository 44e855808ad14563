"""Loses q3: an answer is kept by fetches and fed nodes and given again: when the caller has changed
that list, the next answer has the change."""
# %% q3 after the key
KEPT = {}


def needed(fetches, fed=(), needed=needed):
    key = tuple(fetches), tuple(fed)
    if key not in KEPT:
        KEPT[key] = needed(fetches, fed)
    return KEPT[key]
