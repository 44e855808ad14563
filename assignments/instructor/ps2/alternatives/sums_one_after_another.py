"""Full points: sums by Python's sum, indices made of slices, a test that nudges one flat vector."""

# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    if g.ndim > len(shape):
        return unbroadcast(sum(g, np.zeros(g.shape[1:])), shape)
    for axis in range(g.ndim):
        if shape[axis] != g.shape[axis]:
            parts = np.moveaxis(g, axis, 0)
            return unbroadcast(np.expand_dims(sum(parts, np.zeros(parts.shape[1:])), axis), shape)
    return g

# %% q2
import operator


def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return g * 1.0, g * -1.0


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    return tuple(map(operator.mul, (g, g), (y, x)))


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    g_over_y = g / y
    return g_over_y, -g_over_y * x / y

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    g = np.asarray(g)
    if axis is None:
        return np.full(np.shape(x), g.item())
    axis %= x.ndim
    index = tuple(slice(None) if i != axis else (slice(None) if keepdims else None)
                  for i in range(x.ndim))
    return np.repeat(g[index], x.shape[axis], axis=axis)

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    def turn(a):
        return np.rollaxis(a, a.ndim - 1, a.ndim - 2)
    return np.matmul(g, turn(y)), turn(np.matmul(turn(g), x))

# %% q5
def halves(scores, labels):
    """log of the totals, and the powers, of rows whose largest score is 0."""
    moved = np.subtract(scores, np.max(scores, axis=1)[:, None], dtype=float)
    powers = np.exp(moved)
    return moved, powers, powers.sum(1)


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    moved, _, totals = halves(scores, labels)
    return float(np.mean([np.log(total) - row[label]
                          for row, label, total in zip(moved, labels, totals)]))


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    _, powers, totals = halves(scores, labels)
    answer = (powers.T / totals).T
    for row, label in zip(answer, labels):
        row[label] -= 1
    answer *= g / len(answer)
    return answer

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    sizes = [int(np.prod(shape)) for shape in shapes]
    ends = np.cumsum(sizes)

    def cut(flat):
        return [flat[end - size:end].reshape(shape).copy()
                for end, size, shape in zip(ends, sizes, shapes)]

    flat = rng.uniform(0.7, 1.9, sum(sizes))
    g = np.array(rng.normal(0, 3, np.shape(f(*cut(flat)))))
    came = tuple(vjp(*cut(flat), np.array(g)))
    if tuple(map(np.shape, came)) != tuple(map(tuple, shapes)):
        return False
    slopes = np.concatenate([np.ravel(x_bar) for x_bar in came]) if came else np.zeros(0)
    for at in range(flat.size):
        step = np.zeros(flat.size)
        step[at] = 1e-6
        try_ = np.sum(g * (np.asarray(f(*cut(flat + step))) - f(*cut(flat - step)))) / 2e-6
        if not np.isclose(slopes[at], try_, rtol=1e-4, atol=1e-6):
            return False
    return True
