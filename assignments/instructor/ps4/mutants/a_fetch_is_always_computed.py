"""Loses q3: a fetch is listed even when it is fed, and twice when it is asked for twice."""
# %% q3 after the key
listed_by_the_key = needed


def needed(fetches, fed=()):
    listed = listed_by_the_key(fetches, fed)
    return listed + [x for x in set(fetches) if fetches.count(x) > 1 and x in listed]
