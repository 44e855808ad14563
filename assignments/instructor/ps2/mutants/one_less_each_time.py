"""Loses q5: the loss keeps its softmax with a copy of the scores, and the rule takes 1 from it
in place: a second call of the rule takes 1 once more."""

# %% q5 after the key
reckoned, KEPT = cross_entropy, [np.zeros((0, 0)), None]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    KEPT[:] = np.array(scores), np.exp(log_softmax(scores))
    return reckoned(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if np.array_equal(KEPT[0], scores):
        p = KEPT[1]
    else:
        p = np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)
