"""Loses q6: asks whether the two sums are too far apart; with nan no comparison is true, so a rule
that returns nan for x * y (or in one entry) passes as right."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, size=shape) for shape in shapes]
    speeds = [rng.uniform(-1.0, 1.0, size=shape) for shape in shapes]
    g = rng.uniform(0.5, 2.0, size=np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if len(x_bars) != len(shapes):
        return False
    for shape, x_bar in zip(shapes, x_bars):
        if np.shape(x_bar) != tuple(shape):
            return False
    step = 1e-6
    ahead = f(*(x + step * v for x, v in zip(inputs, speeds)))
    back = f(*(x - step * v for x, v in zip(inputs, speeds)))
    parts = g * (ahead - back) / (2 * step)
    terms = [np.sum(v * x_bar) for v, x_bar in zip(speeds, x_bars)]
    size = np.sum(np.abs(parts)) + sum(np.sum(np.abs(v * b)) for v, b in zip(speeds, x_bars))
    if abs(np.sum(parts) - sum(terms)) > 1e-6 * size:
        return False
    return True
