"""Loses q3: v is given x's type: at whole numbers x, the speed 0.5 is 0."""
# %% q3 after the key
def along(f, x, v, along=along):
    return along(f, x, np.asarray(v).astype(np.asarray(x).dtype)[()])


def jacobian(f, x):
    x = np.asarray(x, float)
    return np.stack([along(f, x, seed)[1] for seed in np.eye(len(x))], axis=1)
