"""Loses q6: the inputs are moved in place: where f returns a view, as x.T, both results are one
array, f_dot is 0, and the right rule is called wrong."""
# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    g = rng.normal(size=np.shape(f(*inputs)))
    bars = vjp(*inputs, g)
    if [np.shape(bar) for bar in bars] != [x.shape for x in inputs]:
        return False
    v, h = [rng.normal(size=shape) for shape in shapes], 1e-6
    for x, d in zip(inputs, v):
        x += h * d
    up = f(*inputs)
    for x, d in zip(inputs, v):
        x -= 2 * h * d
    tried = np.sum(g * (up - f(*inputs))) / (2 * h)
    ruled = sum(np.sum(d * bar) for d, bar in zip(v, bars))
    return bool(abs(tried - ruled) <= 1e-5 * max(1e-3, abs(tried), abs(ruled)))
