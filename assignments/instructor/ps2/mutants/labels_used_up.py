"""Loses q5: Takes the labels from the caller's list, one after another: after the loss the list is
empty, and the rule called with the same list fails."""

# %% q5
def logs(scores):
    moved = scores - scores.max(axis=1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    total, rows = 0.0, logs(scores)
    labels = labels if isinstance(labels, list) else list(labels)
    for row in rows:
        total -= row[labels.pop(0)]
    return total / len(rows)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(logs(scores))
    p[np.arange(len(scores)), labels] -= 1
    return p * g / len(scores)
