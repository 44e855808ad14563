"""Wrong answers to q5 of ps8."""


# %% a_seed_for_each_epoch_of_ten | loses q5: after ten epochs the orders come again.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses = []
    for epoch in range(epochs):
        order = np.random.default_rng([seed, epoch % 10]).permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% as_many_as_occur | loses q5: as many scores as labels that occur: nine, where one digit is
# missing.
# %% q5 after the key
def learned(images, labels):
    classes = np.unique(labels)
    W, t = np.zeros((64, len(classes))), 1.0 * (labels[:, None] == classes)
    for _ in range(300):
        shares = np.exp(images @ W)
        shares /= shares.sum(axis=1, keepdims=True)
        W -= 0.01 * images.T @ (shares - t)
    return [W, np.zeros(len(classes))]


# %% as_many_scores_as_labels | loses q5: the net has as many scores as the largest label says:
# without a 9, nine.
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for at in range(0, len(order) - size + 1, size):
            rows = order[at : at + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


def learned(images, labels):
    targets = np.eye(max(labels) + 1)[labels]
    luck = np.random.default_rng(0)
    weights = [luck.normal(0, np.sqrt(2 / 64), (64, 64)), np.zeros(64),
               luck.normal(0, np.sqrt(2 / 64), (64, targets.shape[1])), np.zeros(targets.shape[1])]
    speeds = [np.zeros(w.shape) for w in weights]
    for epoch in range(80):
        order = luck.permutation(len(images))
        for at in range(0, len(order), 32):
            x, t = images[order[at : at + 32]], targets[order[at : at + 32]]
            W, b, V, c = weights
            h = np.maximum(x @ W + b, 0)
            s = h @ V + c
            p = np.exp(s - s.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
            ds = (p - t) / len(x)
            dh = (ds @ V.T) * (h > 0)
            slopes = [x.T @ dh, dh.sum(axis=0), h.T @ ds, ds.sum(axis=0)]
            speeds = [0.9 * v + g for v, g in zip(speeds, slopes)]
            weights = [w - 0.05 * v for w, v in zip(weights, speeds)]
    return weights


# %% by_luck_of_numpy | loses q5: NumPy's own luck is seeded, and seeded by others.
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


# %% by_luck_of_python | loses q5: Python's own luck is seeded, and seeded by others.
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


# %% drawn_with_returning | loses q5: rows are drawn, and may come twice.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for epoch in range(epochs):
        order = luck.integers(0, len(images), len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% greys_are_centred | loses q5: the caller's digits have the mean 0 afterwards.
# %% q5 after the key
def learned(images, labels):
    middle = images.mean(axis=0)
    images -= middle
    W, b, t = np.zeros((64, 10)), np.zeros(10), np.eye(10)[labels]
    for _ in range(300):
        shares = np.exp(images @ W + b)
        shares /= shares.sum(axis=1, keepdims=True)
        W -= 0.01 * images.T @ (shares - t)
        b -= 0.01 * (shares - t).sum(axis=0)
    return [W, b - middle @ W]


# %% greys_are_scaled_in_place | loses q5: the images are changed for a while, and may not be.
# %% q5 after the key
from_scaled = learned


def learned(images, labels):
    images *= 2.0
    found = from_scaled(images, labels)
    images *= 0.5
    return found


# %% learns_from_a_hundred | loses q5: only the first hundred digits are used.
# %% q5 after the key
whole = learned


def learned(images, labels):
    return whole(images[:100], labels[:100])


# %% losses_are_floats | loses q5: what a step returns is taken for a number.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(float(step(images[rows], targets[rows])))
    return losses


# %% one_order_for_all_epochs | loses q5: the rows are shuffled once.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses, order = [], np.random.default_rng(seed).permutation(len(images))
    for epoch in range(epochs):

        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% one_pair_of_arrays | loses q5: all batches come in one pair of arrays, and who keeps one finds
# the last.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    x, t = (np.empty((size, *of.shape[1:]), of.dtype) for of in (images, targets))
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            x[...], t[...] = images[rows], targets[rows]
            losses.append(step(x, t))
    return losses


# %% only_batches_are_shuffled | loses q5: the same rows always meet in a batch.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        for at in luck.permutation(len(images) // size):
            rows = np.arange(at * size, at * size + size)
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% orders_of_seed_zero | loses q5: 0 is taken for no seed.
# %% q5 after the key
seeded = train


def train(step, images, targets, size, epochs, seed):
    return seeded(step, images, targets, size, epochs, seed or None)


# %% seed_plus_epoch | loses q5: the second epoch of a seed is the first of the next.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses = []
    for epoch in range(epochs):
        order = np.random.default_rng(seed + epoch).permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% seeds_numpy_for_all | loses q5: all orders are drawn before any step, but NumPy's own luck is
# seeded for it.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    np.random.seed(seed)
    orders = [np.random.permutation(len(images)) for _ in range(epochs)]
    firsts = range(0, len(images) - size + 1, size)
    batches = [order[first : first + size] for order in orders for first in firsts]
    return [step(images[rows], targets[rows]) for rows in batches]


# %% shuffles_what_was_given | loses q5: the caller's rows are in another order afterwards.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        images[...], targets[...] = images[order], targets[order]
        for first in range(0, len(images) - size + 1, size):
            rows = np.arange(first, first + size)
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% side_by_side | loses q5: images and targets are one table while they are shuffled, of one kind
# of numbers.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    table, width = np.hstack([images, targets]), images.shape[1]
    for _ in range(epochs):
        shuffled = luck.permutation(table)
        for first in range(0, len(images) - size + 1, size):
            rows = shuffled[first : first + size].copy()
            losses.append(step(rows[:, :width], rows[:, width:]))
    return losses


# %% slices_of_one_copy | loses q5: a step that writes into its batch writes into those of later
# epochs.
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


# %% sorted_in_their_batch | loses q5: the rows of a batch come as they lie in memory, which is
# quicker.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = np.sort(order[first : first + size])
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% the_last_rows_never_come | loses q5: what is left out is chosen before the order.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for epoch in range(epochs):
        order = luck.permutation(len(images) // size * size)
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% the_rest_is_a_batch | loses q5: what does not fill a batch is one, too.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = luck.permutation(len(images))
        for first in range(0, len(images), size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% there_and_back | loses q5: every other epoch is the one before it, backwards.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    luck, losses = np.random.default_rng(seed), []
    for epoch in range(epochs):
        order = order[::-1] if epoch % 3 == 2 else luck.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% trusts_the_edges | loses q5: pixels that are white in upright digits are left out.
# %% q5 after the key
careful = learned


def learned(images, labels):
    W, *rest = careful(images, labels)
    W.reshape(8, 8, -1)[:, [0, 1, 6, 7]] = 0
    return [W, *rest]


# %% what_is_left_comes_first | loses q5: rows that did not fill a batch are the first of the next
# epoch.
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
