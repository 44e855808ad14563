"""Loses q5: Puts the cotangent into np.empty_like(scores): for scores of whole numbers all is cut
to 0 and -1, and what is left is no gradient."""

# %% q5
def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    return -logs(scores)[np.arange(len(scores)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(logs(scores))
    p[np.arange(len(scores)), labels] -= 1
    s_bar = np.empty_like(scores)
    s_bar[...] = p * g / len(scores)
    return s_bar
