"""Loses q6: compares the first entry of each cotangent."""
# %% q6
def is_right(f, vjp, shapes, seed):
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.isclose(np.ravel(x_bar)[0], np.ravel(nudged(f, inputs, i, g))[0], rtol=1e-5)
               for i, x_bar in enumerate(x_bars))
