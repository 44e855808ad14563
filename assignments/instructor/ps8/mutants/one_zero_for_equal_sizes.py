"""Loses q1: layers of one size share their bias."""
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights, zeros = np.random.default_rng(seed), [], {}
    for n, m in zip(sizes, sizes[1:]):
        bias = zeros.setdefault(m, np.zeros(m))
        weights += [luck.normal(0, np.sqrt(2 / n), (n, m)), bias]
    return weights
