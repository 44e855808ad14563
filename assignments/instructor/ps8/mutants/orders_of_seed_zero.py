"""Loses q5: 0 is taken for no seed."""
# %% q5 after the key
seeded = train


def train(step, images, targets, size, epochs, seed):
    return seeded(step, images, targets, size, epochs, seed or None)
