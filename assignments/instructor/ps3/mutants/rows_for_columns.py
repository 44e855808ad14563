"""Loses q3: each pass gives a row: the Jacobian's transpose, which a symmetric one hides."""
# %% q3 after the key
def jacobian(f, x):
    return np.array([along(f, x, seed)[1] for seed in np.eye(len(x))])
