"""Loses q5: all batches come in one pair of arrays, and who keeps one finds the last."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    x, t = (np.empty((size, *of.shape[1:]), of.dtype) for of in (images, targets))
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            x[...], t[...] = images[rows], targets[rows]
            losses.append(step(x, t))
    return losses
