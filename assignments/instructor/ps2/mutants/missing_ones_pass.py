"""Loses q6: looks at the cotangents that came, however few."""
# %% q6
def is_right(f, vjp, shapes, seed):
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if any(np.shape(x_bar) != tuple(shape) for x_bar, shape in zip(x_bars, shapes)):
        return False
    return all(np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-6)
               for i, x_bar in enumerate(x_bars[:len(shapes)]))
