"""Loses q5: the caller's digits have the mean 0 afterwards."""
# %% q5 after the key
def learned(images, labels):
    middle = images.mean(axis=0)
    images -= middle
    W, b, t = np.zeros((64, 10)), np.zeros(10), np.eye(10)[labels]
    for _ in range(300):
        shares = np.exp(images @ W + b)
        shares /= shares.sum(axis=1, keepdims=True)
        W -= 0.01 * images.T @ (shares - t)
        b -= 0.01 * (shares - t).sum(axis=0)
    return [W, b - middle @ W]
