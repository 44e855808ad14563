"""Loses q5: what a step returns is taken for a number."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(float(step(images[rows], targets[rows])))
    return losses
