"""Loses q5: rows that did not fill a batch are the first of the next epoch."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses, rest = np.random.default_rng(seed), [], np.zeros(0, int)
    for _ in range(epochs):
        fresh = luck.permutation(len(images))
        order = np.concatenate([rest, fresh[~np.isin(fresh, rest)]]).astype(int)
        count = len(images) // size * size
        rest = order[count:]
        for first in range(0, count, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses
