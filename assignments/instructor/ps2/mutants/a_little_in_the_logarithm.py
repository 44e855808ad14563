"""Loses q5: log(p + 1e-12), which is 27 where the loss is 3000."""
# %% q5 after the key
def cross_entropy(scores, labels):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = powers / powers.sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(labels)), labels] + 1e-12).mean()
