"""Loses q6: multiplies each cotangent by its direction in place: where a rule gives one array for
both inputs, as that of x + y does, the second is taken times both."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    vs = [random.standard_normal(shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    ahead = f(*(x + 1e-6 * v for x, v in zip(inputs, vs)))
    behind = f(*(x - 1e-6 * v for x, v in zip(inputs, vs)))
    forward = np.sum(g * (np.asarray(ahead) - behind)) / 2e-6
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    reverse = 0.0
    for x_bar, v in zip(x_bars, vs):
        if not x_bar.flags.writeable:
            x_bar = np.array(x_bar)
        x_bar *= v
        reverse += np.sum(x_bar)
    return bool(abs(forward - reverse) <= 1e-5 * (1 + abs(forward)))
