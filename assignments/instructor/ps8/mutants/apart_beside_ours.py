"""Loses q6: differences are measured by the first list alone."""
# %% q6 after the key
def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("unequal lengths")
    far = [0.0]
    for a, b in zip(ours, theirs):
        if a != b:
            far.append(abs(a - b) / abs(a) if a and np.isfinite(a) and np.isfinite(b) else np.inf)
    return max(far)
