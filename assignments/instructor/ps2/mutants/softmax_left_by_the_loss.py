"""Loses q5: the rule takes the softmax that the loss has left for this array, told by `is`: after
a step in place the array is the same and its numbers are others."""

# %% q5 after the key
reckoned, LEFT = cross_entropy, [None, None]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    LEFT[:] = scores, np.exp(log_softmax(scores))
    return reckoned(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = LEFT[1].copy() if LEFT[0] is scores else np.exp(log_softmax(scores))
    p[np.arange(len(labels)), labels] -= 1
    return g * p / len(labels)
