"""Loses q3: one more call of f, to learn how many entries it has."""
# %% q3 after the key
def jacobian(f, x):
    found = np.zeros((len(along(f, x, np.zeros(len(x)))[0]), len(x)))
    for j, seed in enumerate(np.eye(len(x))):
        found[:, j] = along(f, x, seed)[1]
    return found
