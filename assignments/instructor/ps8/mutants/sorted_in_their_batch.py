"""Loses q5: the rows of a batch come as they lie in memory, which is quicker."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = np.sort(order[first : first + size])
            losses.append(step(images[rows], targets[rows]))
    return losses
