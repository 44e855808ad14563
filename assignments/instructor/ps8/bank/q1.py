"""Wrong answers to q1 of ps8."""


# %% generator_for_each_layer | loses q1: every layer begins with the same numbers.
# | says: Each layer makes a generator of its own.
# %% q1 after the key
def initial_weights(sizes, seed):
    weights = []
    for n, m in zip(sizes, sizes[1:]):
        weights += [np.random.default_rng(seed).normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
    return weights


# %% fan_out | loses q1: the variance is that of the layer's outputs.
# | says: It divides by the size behind the layer
# %% q1 after the key
def initial_weights(sizes, seed):
    generator, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [generator.normal(0, np.sqrt(2 / m), (n, m)), np.zeros(m)]
    return weights


# %% variance_for_deviation | loses q1: normal() gets the variance 2 / n, not its root.
# | says: The standard deviation is 2 / n, without the root
# %% q1 after the key
def initial_weights(sizes, seed):
    generator, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [generator.normal(0, 2 / n, (n, m)), np.zeros(m)]
    return weights


# %% random_biases | loses q1: the biases take numbers from the generator, too.
# | says: W does not come from
# %% q1 after the key
def initial_weights(sizes, seed):
    generator, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [generator.normal(0, np.sqrt(2 / n), (n, m)), 0 * generator.normal(size=m)]
    return weights


# %% uniform_weights | loses q1: a uniform distribution of the same variance.
# | says: W does not come from
# %% q1 after the key
def initial_weights(sizes, seed):
    generator, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [generator.uniform(-np.sqrt(6 / n), np.sqrt(6 / n), (n, m)), np.zeros(m)]
    return weights


# %% seed_zero_is_none | loses q1: the seed 0 is taken for no seed.
# | says: W does not come from
# %% q1 after the key
seeded = initial_weights


def initial_weights(sizes, seed):
    return seeded(sizes, seed or None)


# %% pops_the_sizes | loses q1: sizes are taken off the caller's list.
# | says: It changes an array, a list or a dict that it was given (rule 3).
# %% q1 after the key
def initial_weights(sizes, seed):
    generator, weights = np.random.default_rng(seed), []
    n = sizes.pop(0)
    while sizes:
        m = sizes.pop(0)
        weights += [generator.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
        n = m
    return weights


# %% pops_the_layers | loses q1: the list of weights is empty afterwards.
# | says: It changes an array, a list or a dict that it was given (rule 3).
# %% q1 after the key
def scores(x, weights):
    x = x @ weights.pop(0) + weights.pop(0)
    while weights:
        x = x.relu() @ weights.pop(0) + weights.pop(0)
    return x


# %% relu_after_the_last_layer | loses q1: scores below 0 become 0.
# | says: There is a relu after the last layer.
# %% q1 after the key
def scores(x, weights):
    for W, b in zip(weights[::2], weights[1::2]):
        x = (x @ W + b).relu()
    return x


# %% relu_before_the_first_layer | loses q1: inputs below 0 become 0.
# | says: There is a relu before the first layer.
# %% q1 after the key
def scores(x, weights):
    for W, b in zip(weights[::2], weights[1::2]):
        x = x.relu() @ W + b
    return x


# %% no_relu | loses q1: several linear layers are one.
# | says: There is no relu between the layers.
# %% q1 after the key
def scores(x, weights):
    for W, b in zip(weights[::2], weights[1::2]):
        x = x @ W + b
    return x


# %% two_layers_only | loses q1: other depths are not thought of.
# | says: Not every layer computes x @ W + b.
# %% q1 after the key
def scores(x, weights):
    W1, b1, W2, b2 = weights[:4] if len(weights) > 2 else [*weights, 1.0, 0.0]
    h = x @ W1 + b1
    return h if len(weights) == 2 else h.relu() @ W2 + b2


# %% asks_for_backward | loses q1: the network is written twice, for each engine.
# | says: It asks which engine this is.
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


# %% relu_by_value | loses q1: the relu is a product with numbers that only a Tensor has.
# | says: such as `.value` (rule 6)
# %% q1 after the key
def scores(x, weights):
    for at in range(0, len(weights), 2):
        x = x * (x.value > 0) if at else x
        x = x @ weights[at] + weights[at + 1]
    return x


# %% relu_where_there_are_numbers | loses q1: Nodes get no relu.
# | says: There is no relu between the layers.
# %% q1 after the key
def scores(x, weights):
    for at in range(0, len(weights), 2):
        if at:
            x = x * (x.value > 0 if hasattr(x, "value") else 1.0)
        x = x @ weights[at] + weights[at + 1]
    return x


# %% returns_an_array | loses q1: the scores are NumPy's, so nothing can flow back.
# | says: The result is not a value of the engine.
# %% q1 after the key
in_the_engine = scores


def scores(x, weights):
    found = in_the_engine(x, weights)
    return found.value if hasattr(found, "backward") else found


# %% seed_and_layer | loses q1: each layer has a generator, whose seed is one more.
# | says: Each layer makes a generator of its own.
# %% q1 after the key
def initial_weights(sizes, seed):
    weights = []
    for layer, (n, m) in enumerate(zip(sizes, sizes[1:])):
        generator = np.random.default_rng(seed + layer)
        weights += [generator.normal(0, np.sqrt(2 / n), (n, m)), np.zeros(m)]
    return weights


# %% scaled_by_both_sizes | loses q1: the initialisation for networks without relu.
# | says: The standard deviation is sqrt(2 / (n + m)), not sqrt(2 / n)
def initial_weights(sizes, seed):
    rng, weights = np.random.default_rng(seed), []
    for n, m in zip(sizes, sizes[1:]):
        weights += [rng.normal(0, np.sqrt(2 / (n + m)), (n, m)), np.zeros(m)]
    return weights


def scores(x, weights):
    x = x @ weights[0] + weights[1]
    for W, b in zip(weights[2::2], weights[3::2]):
        x = x.relu() @ W + b
    return x
