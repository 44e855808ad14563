"""Loses q5: all orders are drawn before any step, but NumPy's own luck is seeded for it."""
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    np.random.seed(seed)
    orders = [np.random.permutation(len(images)) for _ in range(epochs)]
    firsts = range(0, len(images) - size + 1, size)
    batches = [order[first : first + size] for order in orders for first in firsts]
    return [step(images[rows], targets[rows]) for rows in batches]
