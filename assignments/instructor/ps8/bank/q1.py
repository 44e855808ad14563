"""Wrong answers to q1 of ps8."""


# %% a_generator_for_each_layer | loses q1: every layer begins with the same draws.
# %% q1 after the key
def new_weights(sizes, seed):
    weights = []
    for n, m in zip(sizes, sizes[1:]):
        weights += [np.random.default_rng(seed).normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
    return weights


# %% a_zero_stretched | loses q1: one 0, stretched to m, which nobody can write into.
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights.append(luck.normal(0, np.sqrt(2 / n), (n, m)))
        weights.append(np.broadcast_to(np.zeros(1), (m,)))
    return weights


# %% asks_whether_it_can_go_back | loses q1: written twice, once for what has a way back.
# %% q1 after the key
def scores(x, weights):
    layers = list(zip(weights[::2], weights[1::2]))
    if hasattr(x, "backward"):
        for W, b in layers[:-1]:
            x = (x @ W + b).relu()
        return x @ layers[-1][0] + layers[-1][1]
    node = x
    for at, (W, b) in enumerate(layers):
        node = (node.relu() if at else node) @ W + b
    return node


# %% biases_are_drawn_too | loses q1: zeros that cost draws.
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [luck.normal(0, np.sqrt(2 / n), (n, m)), 0 * luck.normal(size=m)]
    return weights


# %% draws_are_remembered | loses q1: who asks twice gets the very arrays of the first time.
# %% q1 after the key
KNOWN, drawn = {}, new_weights


def new_weights(sizes, seed):
    key = (*sizes, seed)
    if key not in KNOWN:
        KNOWN[key] = drawn(sizes, seed)
    return list(KNOWN[key])


# %% one_zero_for_equal_sizes | loses q1: layers of one size share their bias.
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights, zeros = np.random.default_rng(seed), [], {}
    for n, m in zip(sizes, sizes[1:]):
        bias = zeros.setdefault(m, np.zeros(m))
        weights += [luck.normal(0, np.sqrt(2 / n), (n, m)), bias]
    return weights


# %% relu_by_looking | loses q1: a relu that needs the numbers, with no word of it in the graph.
# %% q1 after the key
def scores(x, weights):
    for at in range(0, len(weights), 2):
        if at:
            positive = x.value > 0 if hasattr(x, "value") else 1.0
            x = x * positive
        x = x @ weights[at] + weights[at + 1]
    return x


# %% relu_where_a_layer_follows_of_another_size | loses q1: a layer onto the same size goes without
# relu.
# %% q1 after the key
def scores(x, weights):
    x = x @ weights[0] + weights[1]
    for at in range(2, len(weights), 2):
        square = hasattr(x, "value") and len(weights[at].value) == weights[at].value.size ** 0.5
        x = (x if square else x.relu()) @ weights[at] + weights[at + 1]
    return x


# %% seed_zero_is_no_seed | loses q1: 0 is taken for no seed.
# %% q1 after the key
seeded = new_weights


def new_weights(sizes, seed):
    return seeded(sizes, seed or None)


# %% spread_evenly | loses q1: a uniform draw of the same variance.
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [luck.uniform(-np.sqrt(6 / n), np.sqrt(6 / n), (n, m)), np.zeros(m)]
    return weights


# %% takes_layers_off_the_list | loses q1: the list of weights is empty afterwards.
# %% q1 after the key
def scores(x, weights):
    x = x @ weights.pop(0) + weights.pop(0)
    while weights:
        x = x.relu() @ weights.pop(0) + weights.pop(0)
    return x


# %% takes_the_sizes | loses q1: sizes are taken off the caller's list.
# %% q1 after the key
def new_weights(sizes, seed):
    luck, weights = np.random.default_rng(seed), []
    n = sizes.pop(0)
    while sizes:
        m = sizes.pop(0)
        weights += [luck.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
        n = m
    return weights
