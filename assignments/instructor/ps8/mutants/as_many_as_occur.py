"""Loses q5: as many scores as labels that occur: nine, where one digit is missing."""
# %% q5 after the key
def learned(images, labels):
    classes = np.unique(labels)
    W, t = np.zeros((64, len(classes))), 1.0 * (labels[:, None] == classes)
    for _ in range(300):
        shares = np.exp(images @ W)
        shares /= shares.sum(axis=1, keepdims=True)
        W -= 0.01 * images.T @ (shares - t)
    return [W, np.zeros(len(classes))]
