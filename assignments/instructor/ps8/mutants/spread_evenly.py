"""Loses q1: a uniform draw of the same variance."""
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [luck.uniform(-np.sqrt(6 / n), np.sqrt(6 / n), (n, m)), np.zeros(m)]
    return weights
