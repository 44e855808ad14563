"""Loses q5: Python's own luck is seeded, and seeded by others."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    import random

    losses = []
    random.seed(seed)
    for epoch in range(epochs):
        order = random.sample(range(len(images)), len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses
