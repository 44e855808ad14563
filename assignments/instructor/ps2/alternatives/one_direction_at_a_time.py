"""Full points: einsum, one-hot labels, and a test by one random direction."""
# %% q1
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for axis, length in enumerate(shape):
        if length == 1:
            g = np.add.reduce(g, axis=axis, keepdims=True)
    return g
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    shape = [1] * x.ndim
    if axis is not None:
        shape = list(x.shape)
        shape[axis] = 1
    return np.reshape(g, shape) * np.ones_like(x)
# %% q4
def vjp_matmul(x, y, g):
    return np.einsum("...np,...mp->...nm", g, y), np.einsum("...nm,...np->...mp", x, g)
# %% q5
def probabilities(scores):
    powers = np.exp(scores - np.max(scores, 1)[:, None])
    return powers / powers.sum(1)[:, None]


def cross_entropy(scores, labels):
    low = scores - np.max(scores, 1)[:, None]
    chosen = (low * np.eye(scores.shape[1])[labels]).sum(1)
    return np.mean(np.log(np.exp(low).sum(1)) - chosen)


def vjp_cross_entropy(scores, labels, g):
    return (probabilities(scores) - np.eye(scores.shape[1])[labels]) * (g / len(scores))
# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    xs = [np.exp(0.3 * rng.normal(size=shape)) for shape in shapes]
    vs = [rng.normal(size=shape) for shape in shapes]
    g = rng.normal(size=np.shape(f(*xs)))
    ahead, behind = (f(*[x + t * v for x, v in zip(xs, vs)]) for t in (1e-5, -1e-5))
    forward = np.sum(g * (ahead - behind)) / 2e-5
    x_bars = vjp(*xs, g)
    if list(map(np.shape, xs)) != list(map(np.shape, x_bars)):
        return False
    reverse = sum(np.sum(v * x_bar) for v, x_bar in zip(vs, x_bars))
    return bool(abs(forward - reverse) < 1e-5 * (1 + abs(forward)))
