"""Loses q5: NumPy's own luck is seeded, and seeded by others."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses = []
    np.random.seed(seed)
    for epoch in range(epochs):
        order = np.random.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses
