"""Loses q6: Each direction is +1 or -1 for every entry: two errors of one size cancel for half of
the seeds, so a rule for x * y on shape (2,) that swaps the two entries of its cotangents often
passes."""

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(1, 2, shape) for shape in shapes]
    g = np.array(rng.normal(size=np.shape(f(*inputs))))
    bars = vjp(*[x.copy() for x in inputs], g.copy())
    if len(bars) != len(inputs):
        return False
    for i, (x, x_bar) in enumerate(zip(inputs, bars)):
        if np.shape(x_bar) != x.shape:
            return False
        v = rng.choice([-1.0, 1.0], size=x.shape)
        up, down = ([*inputs[:i], x + step * v, *inputs[i + 1:]] for step in (1e-6, -1e-6))
        wanted = np.sum(g * (f(*up) - f(*down))) / 2e-6
        if not abs(np.sum(v * x_bar) - wanted) <= 1e-5 * (1 + abs(wanted)):
            return False
    return True
