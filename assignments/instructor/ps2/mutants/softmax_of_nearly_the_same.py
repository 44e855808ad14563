"""Loses q5: the softmax of the last call is taken again where the scores are nearly the same: a
small step is no step."""

# %% q5 after the key
KEPT = [np.zeros((0, 0)), None]


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if KEPT[0].shape != scores.shape or not np.allclose(KEPT[0], scores):
        KEPT[:] = np.array(scores, float), np.exp(log_softmax(scores))
    p = KEPT[1].copy()
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)
