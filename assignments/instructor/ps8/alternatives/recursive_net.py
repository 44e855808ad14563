"""Full points: the net by recursion from its end; the draws all at once."""
# %% q1
def new_weights(sizes, seed):
    shapes = list(zip(sizes, sizes[1:]))
    drawn = np.random.default_rng(seed).standard_normal(sum(n * m for n, m in shapes))
    weights = []
    for n, m in shapes:
        mine, drawn = drawn[: n * m], drawn[n * m :]
        weights.append(mine.reshape(n, m) * np.sqrt(2 / n))
        weights.append(np.zeros(m))
    return weights


def scores(x, weights):
    if len(weights) == 2:
        return x @ weights[0] + weights[1]
    return scores(x, weights[:-2]).relu() @ weights[-2] + weights[-1]
