"""Loses q6: Makes g a direction of length 1: a rule that divides by the length of g (a normed
gradient) passes, though its cotangents are wrong for every other g."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2, shape) for shape in shapes]
    g = np.array(rng.normal(size=np.shape(f(*inputs))))
    g = g / np.sqrt(np.sum(g * g))
    bars = vjp(*[x.copy() for x in inputs], g.copy())
    if len(bars) != len(inputs):
        return False
    return all(np.shape(x_bar) == x.shape
               and np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-7)
               for i, (x, x_bar) in enumerate(zip(inputs, bars)))
