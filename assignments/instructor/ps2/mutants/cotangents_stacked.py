"""Loses q6: puts all cotangents into one array to compare them at once, which inputs of different
shapes do not allow; then it compares their sums."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    wanted = [nudged(f, inputs, i, g) for i in range(len(inputs))]
    if len(set(map(tuple, shapes))) > 1:
        x_bars, wanted = ([np.sum(one) for one in ones] for ones in (x_bars, wanted))
    return bool(np.allclose(np.stack(x_bars), np.stack(wanted), rtol=1e-5, atol=1e-6))
