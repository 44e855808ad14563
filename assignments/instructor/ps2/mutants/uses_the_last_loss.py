"""Loses q5: the rule takes the probabilities that the last loss has left."""
# %% q5 after the key
loss, LEFT = cross_entropy, {}


def cross_entropy(scores, labels):
    LEFT[scores.shape] = np.exp(log_softmax(scores))
    return loss(scores, labels)


def vjp_cross_entropy(scores, labels, g):
    p = LEFT.get(scores.shape)
    p = np.exp(log_softmax(scores)) if p is None else p
    return g * (p - np.eye(scores.shape[1])[labels]) / len(labels)
