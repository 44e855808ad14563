"""Loses q6: Draws inputs from (0, 1): among many one lies near 0, where a step of 1e-6 is not
small, and the right rule of log or of 1 / x is refused on a large shape."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0, 1, shape) for shape in shapes]
    g = np.array(rng.normal(size=np.shape(f(*inputs))))
    bars = vjp(*[x.copy() for x in inputs], g.copy())
    if len(bars) != len(inputs):
        return False
    return all(np.shape(x_bar) == x.shape
               and np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-6)
               for i, (x, x_bar) in enumerate(zip(inputs, bars)))
