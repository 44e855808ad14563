"""Loses q5: the caller's rows are in another order afterwards."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        images[...], targets[...] = images[order], targets[order]
        for first in range(0, len(images) - size + 1, size):
            rows = np.arange(first, first + size)
            losses.append(step(images[rows], targets[rows]))
    return losses
