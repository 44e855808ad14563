"""Loses q5: Subtracts the label's score, for then the loss is log(sum(exp)): where the label's
score is far below the largest, [0, 1000] with label 0, this is inf, and the loss is 1000."""

# %% q5
def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    own = scores[np.arange(len(scores)), labels]
    return np.log(np.exp(scores - own[:, None]).sum(axis=1)).mean()


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(logs(scores))
    p[np.arange(len(scores)), labels] -= 1
    return p * g / len(scores)
