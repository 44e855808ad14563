"""Loses q1: zeros that cost draws."""
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [luck.normal(0, np.sqrt(2 / n), (n, m)), 0 * luck.normal(size=m)]
    return weights
