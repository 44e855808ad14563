"""Full points: small functions made by functions, and kept in a table."""
# %% q2
RULES = {
    "sub": (lambda x, y: 1, lambda x, y: -1),
    "mul": (lambda x, y: y, lambda x, y: x),
    "div": (lambda x, y: 1 / y, lambda x, y: -x / (y * y)),
}


def rule(name):
    def vjp(x, y, g):
        return tuple(g * slope(x, y) for slope in RULES[name])
    return vjp


vjp_sub, vjp_mul, vjp_div = rule("sub"), rule("mul"), rule("div")
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    count = x.size if axis is None else x.shape[axis]
    if axis is None:
        return np.full(x.shape, np.ravel(g)[0])
    if keepdims:
        return np.repeat(g, count, axis=axis)
    return np.stack([g] * count, axis=axis)
# %% q4
def vjp_matmul(x, y, g):
    if x.ndim == 2:
        return (y @ g.T).T, (g.T @ x).T
    pairs = [vjp_matmul(*three) for three in zip(x, y, g)]
    return np.stack([pair[0] for pair in pairs]), np.stack([pair[1] for pair in pairs])
# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    for _ in range(3):
        xs = [rng.uniform(1, 2, shape) for shape in shapes]
        g = rng.uniform(-1, 1, np.shape(f(*xs)))
        bars = [np.asarray(bar) for bar in vjp(*xs, g)]
        if [bar.shape for bar in bars] != [x.shape for x in xs]:
            return False
        for i, bar in enumerate(bars):
            if not np.allclose(bar, nudged(f, xs, i, g), rtol=1e-4, atol=1e-5):
                return False
    return True
