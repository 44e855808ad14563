"""Loses q6: infinity at the first NaN, before the lists are seen to have unequal lengths."""
# %% q6 after the key
def apart(ours, theirs):
    furthest = 0.0
    for a, b in zip(ours, theirs, strict=True):
        if a != b:
            if not (np.isfinite(a) and np.isfinite(b)):
                return np.inf
            furthest = max(furthest, abs(a - b) / max(abs(a), abs(b)))
    return furthest
