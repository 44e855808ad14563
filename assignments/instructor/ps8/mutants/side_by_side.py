"""Loses q5: images and targets are one table while they are shuffled, of one kind of numbers."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    table, width = np.hstack([images, targets]), images.shape[1]
    for _ in range(epochs):
        shuffled = luck.permutation(table)
        for first in range(0, len(images) - size + 1, size):
            rows = shuffled[first : first + size].copy()
            losses.append(step(rows[:, :width], rows[:, width:]))
    return losses
