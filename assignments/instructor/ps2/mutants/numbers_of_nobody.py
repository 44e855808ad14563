"""Loses q6: numbers are drawn without the seed, so the same call may say one thing and then the
other."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng()
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-6)
               for i, x_bar in enumerate(x_bars))
