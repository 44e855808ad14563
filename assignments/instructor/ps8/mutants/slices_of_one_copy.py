"""Loses q5: a step that writes into its batch writes into those of later epochs."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        images, targets = images[order], targets[order]
        for first in range(0, len(images) - size + 1, size):
            last = first + size
            losses.append(step(images[first:last], targets[first:last]))
    return losses
