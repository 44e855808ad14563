"""Loses q5: the softmax is kept by id(scores) and shape, without keeping scores: the next batch
gets the id of a dead one, and its softmax."""

# %% q5 after the key
KEPT = {}


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    name = id(scores), scores.shape, float(scores[0, 0])
    if name not in KEPT:
        KEPT[name] = np.exp(log_softmax(scores))
    p = KEPT[name].copy()
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)
