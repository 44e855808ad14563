"""Loses q6: lists are compared as a whole first, and a list with NaN equals itself."""
# %% q6 after the key
entry_by_entry = apart


def apart(ours, theirs):
    return 0.0 if ours is theirs else entry_by_entry(ours, theirs)
