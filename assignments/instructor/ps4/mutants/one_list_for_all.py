"""Loses q3: every call fills and returns the same list, so that earlier answers change."""
# %% q3 after the key
LISTED = []


def needed(fetches, fed=(), needed=needed):
    LISTED[:] = needed(fetches, fed)
    return LISTED
