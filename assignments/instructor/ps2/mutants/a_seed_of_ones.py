"""Loses q6: random inputs, but the seed of ones of the homework's test."""
# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    g = np.ones(np.shape(f(*inputs)))
    return all(np.shape(x_bar) == shape and np.allclose(x_bar, nudged(f, inputs, i, g), 1e-5, 1e-6)
               for i, (x_bar, shape) in enumerate(zip(vjp(*inputs, g), shapes)))
