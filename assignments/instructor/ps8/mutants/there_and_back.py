"""Loses q5: every other epoch is the one before it, backwards."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for epoch in range(epochs):
        order = order[::-1] if epoch % 3 == 2 else luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses
