"""Loses q5: scores are cut at 10,000 below the largest, so the loss of a hopeless row is too."""

# %% q5 after the key
def log_softmax(scores):
    lowered = np.maximum(scores - scores.max(axis=1, keepdims=True), -1e4)
    return lowered - np.log(np.exp(lowered).sum(axis=1, keepdims=True))
