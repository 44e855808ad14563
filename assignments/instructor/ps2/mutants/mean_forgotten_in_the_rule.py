"""Loses q5: the rule is that of the sum over the rows."""
# %% q5
def logs(scores):
    low = scores - scores.max(axis=1, keepdims=True)
    return low - np.log(np.exp(low).sum(axis=1, keepdims=True))


def cross_entropy(scores, labels):
    return -logs(scores)[np.arange(len(labels)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (np.exp(logs(scores)) - np.eye(scores.shape[1])[labels])
