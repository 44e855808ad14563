"""Loses q5: each column, not each row, is made to sum to 1."""
# %% q5
def logs(scores):
    low = scores - scores.max(axis=0)
    return low - np.log(np.exp(low).sum(axis=0))


def cross_entropy(scores, labels):
    return -logs(scores)[np.arange(len(labels)), labels].mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (np.exp(logs(scores)) - np.eye(scores.shape[1])[labels]) / len(labels)
