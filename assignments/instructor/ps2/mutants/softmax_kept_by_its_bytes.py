"""Loses q5: the softmax is kept by the bytes of the scores: zeros of shape (2, 4) and (4, 2) have
the same ones."""

# %% q5 after the key
KEPT = {}


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    name = scores.tobytes()
    if name not in KEPT:
        KEPT[name] = np.exp(log_softmax(scores))
    p = KEPT[name].copy()
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)
