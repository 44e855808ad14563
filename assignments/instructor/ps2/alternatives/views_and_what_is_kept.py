"""Full points: what needs no numbers of its own is a view of g; softmax is kept by all that it
depends on; a test by f's linear part in each direction, at points of its own seed."""

# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    if g.shape == tuple(shape):
        return g
    extra = g.ndim - len(shape)
    kept = [axis + extra for axis, n in enumerate(shape) if n == 1 != g.shape[axis + extra]]
    return g.sum((*range(extra), *kept), keepdims=True).reshape(shape)


# %% q2
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return [g, np.negative(g)]


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    return [y * g, x * g]


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    return [g / y, -(g / y) * (x / y)]


# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    kept = x.sum(axis, keepdims=True).shape
    return np.broadcast_to(np.reshape(g, kept), x.shape)


# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return np.matmul(g, np.moveaxis(y, -1, -2)), np.matmul(np.moveaxis(x, -1, -2), g)


# %% q5
KEPT = {}


def softmax(scores):
    name = scores.shape, scores.dtype.str, scores.tobytes()
    if name not in KEPT:
        powers = np.exp(scores - scores.max(1, keepdims=True))
        KEPT[name] = powers / powers.sum(1, keepdims=True)
    return KEPT[name]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    top = scores.max(1)
    totals = np.exp(scores - top[:, None]).sum(1)
    return np.mean(top - scores[np.arange(len(scores)), labels] + np.log(totals))


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    one_hot = np.zeros(scores.shape)
    one_hot[np.arange(len(scores)), labels] = 1
    return (softmax(scores) - one_hot) * g / len(scores)


# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(1, 3, shape) for shape in shapes]
    g = rng.uniform(1, 2, np.shape(f(*inputs)))
    bars = tuple(vjp(*inputs, g))
    if tuple(map(np.shape, bars)) != tuple(map(np.shape, inputs)):
        return False
    for which, bar in enumerate(bars):
        for _ in range(2):
            v = rng.standard_normal(inputs[which].shape)
            ahead, behind = (
                np.array(f(*[x + t * v if i == which else x for i, x in enumerate(inputs)]))
                for t in (1e-6, -1e-6)
            )
            if not np.isclose(np.sum(g * (ahead - behind)) / 2e-6, np.sum(v * bar), 1e-5, 1e-6):
                return False
    return True
