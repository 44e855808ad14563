"""Loses q5: what the loss has kept, softmax less 1 where the label is, is used again where the
scores are equal: with other labels it is the wrong one."""

# %% q5 after the key
reckoned, KEPT = cross_entropy, [np.zeros((0, 0)), None]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    p = np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    KEPT[:] = np.array(scores), p
    return reckoned(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if not np.array_equal(KEPT[0], scores):
        cross_entropy(scores, labels)
    return g * KEPT[1] / len(labels)
