"""Loses q6: a comparison with NaN is never true."""
# %% q6 after the key
def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("unequal lengths")
    furthest = 0.0
    for a, b in zip(ours, theirs):
        if a != b:
            far = abs(a - b) / max(abs(a), abs(b))
            furthest = max(furthest, np.inf if far != far and abs(a) == np.inf else far)
    return furthest
