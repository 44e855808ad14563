"""Loses q5: Keeps the softmax for the array that it last saw, told by `is`: after `scores -= 0.1 *
s_bar` the same array holds other numbers, and the rule returns the old cotangent."""

# %% q5
LAST = [None, None]


def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    return -logs(scores)[np.arange(len(scores)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    if LAST[0] is not scores:
        LAST[:] = scores, np.exp(logs(scores))
    p = LAST[1].copy()
    p[np.arange(len(scores)), labels] -= 1
    return p * g / len(scores)
