"""Wrong answers to q5 of ps8."""


# %% seed_for_each_epoch_of_ten | loses q5: after ten epochs the orders come again.
# | says: An order of the rows comes again.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses = []
    for epoch in range(epochs):
        order = np.random.default_rng([seed, epoch % 10]).permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% numpys_own_generator | loses q5: the generator that NumPy shares is seeded, and seeded by
# others.
# | says: It seeds or uses the generator that NumPy or Python shares.
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


# %% pythons_own_generator | loses q5: the generator that Python shares is seeded, and seeded by
# others.
# | says: It seeds or uses the generator that NumPy or Python shares.
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


# %% sampled_with_replacement | loses q5: rows may come twice.
# | says: A row comes twice in one epoch, so another one is missing.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for epoch in range(epochs):
        order = generator.integers(0, len(images), len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% first_hundred_digits | loses q5: only the first digits are used.
# | says: The weights classify too few of the new digits correctly.
# %% q5 after the key
whole = train_classifier


def train_classifier(images, labels):
    return whole(images[:60], labels[:60])


# %% knows_where_pixels_lie | loses q5: pixels that are white in upright digits are left out.
# | says: The weights classify too few of the new digits correctly.
# %% q5 after the key
careful = train_classifier


def train_classifier(images, labels):
    W, *rest = careful(images, labels)
    W.reshape(8, 8, -1)[:, [0, 1, 6, 7]] = 0
    return [W, *rest]


# %% one_order_for_all_epochs | loses q5: the rows are shuffled once.
# | says: All epochs have the same order.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses, order = [], np.random.default_rng(seed).permutation(len(images))
    for epoch in range(epochs):

        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% generator_in_each_epoch | loses q5: each epoch makes its generator from the seed again.
# | says: All epochs have the same order.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    losses = []
    for _ in range(epochs):
        order = np.random.default_rng(seed).permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% no_shuffling | loses q5: the rows come as they lie.
# | says: The rows are not put into a random order.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    firsts = range(0, len(images) - size + 1, size)
    return [step(images[at : at + size].copy(), targets[at : at + size].copy())
            for _ in range(epochs) for at in firsts]


# %% one_pair_of_arrays | loses q5: all batches come in one pair of arrays.
# | says: Two batches share their memory.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    x, t = (np.empty((size, *of.shape[1:]), of.dtype) for of in (images, targets))
    for _ in range(epochs):
        order = generator.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            x[...], t[...] = images[rows], targets[rows]
            losses.append(step(x, t))
    return losses


# %% only_batches_are_shuffled | loses q5: the same rows always meet in a batch.
# | says: The same rows meet in a batch again
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        for at in generator.permutation(len(images) // size):
            rows = np.arange(at * size, at * size + size)
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% targets_in_their_own_order | loses q5: images and targets are shuffled separately.
# | says: The images of a batch come with the targets of other images.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        x, t = generator.permutation(images), generator.permutation(targets)
        for first in range(0, len(images) - size + 1, size):
            losses.append(step(x[first : first + size].copy(), t[first : first + size].copy()))
    return losses


# %% seed_is_ignored | loses q5: the generator has no seed.
# | says: The order does not come from the seed alone.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(), []
    for _ in range(epochs):
        order = generator.permutation(len(images))
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% seed_zero_of_train | loses q5: the seed 0 is taken for none.
# | says: The order does not come from the seed alone.
# %% q5 after the key
seeded = train


def train(step, images, targets, size, epochs, seed):
    return seeded(step, images, targets, size, epochs, seed or None)


# %% seeds_numpy_for_all | loses q5: all orders are drawn before any step, by the generator that
# NumPy shares.
# | says: It seeds or uses the generator that NumPy or Python shares.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    np.random.seed(seed)
    orders = [np.random.permutation(len(images)) for _ in range(epochs)]
    firsts = range(0, len(images) - size + 1, size)
    batches = [order[first : first + size] for order in orders for first in firsts]
    return [step(images[rows], targets[rows]) for rows in batches]


# %% shuffles_what_was_given | loses q5: the caller's rows are in another order afterwards.
# | says: It changes an array, a list or a dict that it was given (rule 3).
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = generator.permutation(len(images))
        images[...], targets[...] = images[order], targets[order]
        for first in range(0, len(images) - size + 1, size):
            rows = np.arange(first, first + size)
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% slices_of_one_copy | loses q5: a step that writes into its batch writes into those of later
# epochs.
# | says: A step that writes into its batch, or seeds the generators
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = generator.permutation(len(images))
        images, targets = images[order], targets[order]
        for first in range(0, len(images) - size + 1, size):
            last = first + size
            losses.append(step(images[first:last], targets[first:last]))
    return losses


# %% last_rows_never_come | loses q5: what is left out is chosen before the order.
# | says: The same rows are left out in every epoch.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for epoch in range(epochs):
        order = generator.permutation(len(images) // size * size)
        for first in range(0, len(images) - size + 1, size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% rest_is_a_batch | loses q5: what does not fill a batch is one, too.
# | says: Rows that do not fill a batch become a batch, too.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = generator.permutation(len(images))
        for first in range(0, len(images), size):
            rows = order[first : first + size]
            losses.append(step(images[rows], targets[rows]))
    return losses


# %% mean_of_each_epoch | loses q5: one number for each epoch is returned.
# | says: It does not return the list of what the steps returned.
# %% q5 after the key
each_step = train


def train(step, images, targets, size, epochs, seed):
    losses, count = each_step(step, images, targets, size, epochs, seed), len(images) // size
    return [float(np.mean(losses[at * count : (at + 1) * count])) for at in range(epochs)]


# %% weights_without_biases | loses q5: a list of W alone is returned.
# | says: It does not return [W, b, W, b, ...]
# %% q5 after the key
whole = train_classifier


def train_classifier(images, labels):
    return whole(images, labels)[::2]


# %% the_rest_joins_the_last_batch | loses q5: rows that are left over make the last batch larger.
# | says: A batch does not have the size that was asked for.
# %% q5 after the key
def train(step, images, targets, size, epochs, seed):
    generator, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = generator.permutation(len(images))
        for batch in range(len(images) // size):
            last = batch + 1 == len(images) // size
            rows = order[batch * size :] if last else order[batch * size : (batch + 1) * size]
            losses.append(step(images[rows], targets[rows]))
    return losses
