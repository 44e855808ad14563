"""Loses q5: right numbers, but the caller's scores are lowered in place."""
# %% q5
def logs(scores):
    scores -= scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    return -logs(scores)[np.arange(len(labels)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (np.exp(logs(scores)) - np.eye(scores.shape[1])[labels]) / len(labels)
