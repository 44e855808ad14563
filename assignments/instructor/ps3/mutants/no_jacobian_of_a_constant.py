"""Loses q3: jacobian takes what f returns for a Dual, always."""
# %% q3 after the key
def jacobian(f, x):
    return np.stack([f(Dual(x, seed)).tangent for seed in np.eye(len(x))], axis=1)
