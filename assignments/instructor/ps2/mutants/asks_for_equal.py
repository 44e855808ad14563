"""Loses q6: asks for equal numbers where a numerical slope can only be near."""
# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    g = rng.standard_normal(np.shape(f(*inputs)))
    return all(np.array_equal(x_bar, nudged(f, inputs, i, g))
               for i, x_bar in enumerate(vjp(*inputs, g)))
