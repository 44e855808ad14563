"""Full points: unbroadcast by one reduction; three random directions, one seed each."""
# %% q1
def unbroadcast(g, shape):
    padded = (1,) * (np.ndim(g) - len(shape)) + tuple(shape)
    axes = tuple(axis for axis, length in enumerate(padded) if length == 1)
    return np.sum(g, axis=axes).reshape(shape)
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    kept = np.ones_like(x).sum(axis=axis, keepdims=True).shape
    return np.zeros(x.shape) + np.asarray(g).reshape(kept)
# %% q6
def is_right(f, vjp, shapes, seed):
    return all(agrees(f, vjp, shapes, np.random.default_rng([seed, turn])) for turn in range(3))


def agrees(f, vjp, shapes, rng):
    xs = [rng.uniform(0.6, 1.8, shape) for shape in shapes]
    vs = [rng.uniform(-1, 1, shape) for shape in shapes]
    g = rng.uniform(-1, 1, np.shape(f(*xs)))
    bars = [np.asarray(bar) for bar in vjp(*xs, g)]
    if tuple(bar.shape for bar in bars) != tuple(x.shape for x in xs):
        return False
    step = 1e-5
    ahead = f(*(x + step * v for x, v in zip(xs, vs)))
    back = f(*(x - step * v for x, v in zip(xs, vs)))
    moved = np.vdot(g, ahead - back) / (2 * step)
    return bool(abs(moved - sum(np.vdot(v, bar) for v, bar in zip(vs, bars))) < 1e-6)
