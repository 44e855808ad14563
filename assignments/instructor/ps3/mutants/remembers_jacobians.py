"""Loses q3: a jacobian is remembered by f and x; an f that reads a weight gives the old matrix
after the weight has changed."""
# %% q3 after the key
KNOWN = {}
new_jacobian = jacobian


def jacobian(f, x):
    key = f, np.asarray(x, dtype=float).tobytes()
    if key not in KNOWN:
        KNOWN[key] = new_jacobian(f, x)
    return KNOWN[key].copy()
