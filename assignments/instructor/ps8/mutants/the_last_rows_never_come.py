"""Loses q5: what is left out is chosen before the order."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for epoch in range(epochs):
        order = luck.permutation(len(images) // size * size)
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses
