"""Loses q6: np.where chooses, and returns an array without axes."""
# %% q6 after the key
whole = apart


def apart(ours, theirs):
    found = whole(ours, theirs)
    return np.where(np.isfinite(found), found, np.inf)
