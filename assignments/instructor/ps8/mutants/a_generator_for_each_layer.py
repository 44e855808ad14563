"""Loses q1: every layer begins with the same draws."""
# %% q1 after the key
def new_weights(sizes, seed):
    weights = []
    for n, m in zip(sizes, sizes[1:]):
        weights += [np.random.default_rng(seed).normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
    return weights
