"""Loses q5: subtracts the largest score of all rows, so low rows become log(0)."""
# %% q5
def softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=1, keepdims=True)


def cross_entropy(scores, labels):
    return -np.log(softmax(scores)[np.arange(len(labels)), labels]).mean()


def vjp_cross_entropy(scores, labels, g):
    return g * (softmax(scores) - np.eye(scores.shape[1])[labels]) / len(labels)
