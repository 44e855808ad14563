"""Loses q6: a small number saves the division, and hides small losses."""
# %% q6 after the key
def apart(ours, theirs):
    if len(ours) != len(theirs):
        raise ValueError("unequal lengths")
    far = [0.0]
    for a, b in zip(ours, theirs):
        if a != b:
            finite = np.isfinite(a) and np.isfinite(b)
            far.append(abs(a - b) / (max(abs(a), abs(b)) + 1e-15) if finite else np.inf)
    return max(far)
