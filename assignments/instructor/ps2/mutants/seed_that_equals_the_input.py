"""Loses q6: makes a second generator with the same seed for g, so g equals the first input where
the shapes agree: for f = x * x the wrong rules [2 * x * x] and [2 * g * g] pass."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, size=shape) for shape in shapes]
    g = np.random.default_rng(seed).uniform(0.5, 2.0, size=np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if len(x_bars) != len(inputs):
        return False
    for i, x_bar in enumerate(x_bars):
        wanted = nudged(f, inputs, i, g)
        if np.shape(x_bar) != wanted.shape:
            return False
        if not np.allclose(x_bar, wanted, rtol=1e-5, atol=1e-6):
            return False
    return True
