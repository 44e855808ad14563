"""Loses q5: after ten epochs the orders come again."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses = []
    for epoch in range(epochs):
        order = np.random.default_rng([seed, epoch % 10]).permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses
