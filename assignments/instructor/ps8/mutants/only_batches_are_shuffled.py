"""Loses q5: the same rows always meet in a batch."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        for at in luck.permutation(len(images) // size):
            rows = np.arange(at * size, at * size + size)
            losses.append(step(images[rows], targets[rows]))
    return losses
