"""Loses q1: one 0, stretched to m, which nobody can write into."""
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights.append(luck.normal(0, np.sqrt(2 / n), (n, m)))
        weights.append(np.broadcast_to(np.zeros(1), (m,)))
    return weights
