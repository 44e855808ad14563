"""Loses q6: the caller's lists are empty afterwards."""
# %% q6 after the key
whole = apart


def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("lists of unequal length")
    furthest = 0.0
    while ours:
        furthest = max(furthest, whole([ours.pop()], [theirs.pop()]))
    return furthest
