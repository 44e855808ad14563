"""Loses q1: sizes are taken off the caller's list."""
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    n = sizes.pop(0)
    while sizes:
        m = sizes.pop(0)
        weights += [luck.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
        n = m
    return weights
