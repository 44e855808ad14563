"""Loses q3: fed nodes of an earlier call are left out of the next one, too."""
# %% q3 after the key
listed_by_the_key, FED = needed, set()


def needed(fetches, fed=()):
    FED.update(fed)
    return listed_by_the_key(fetches, FED)
