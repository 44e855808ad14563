"""Right answers to ps2, each of another kind than the key's."""


# %% a_table_of_rules | right: small functions made by functions, and kept in a table.
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


# %% a_test_by_jacobians | right: the test compares with all of f's slopes; log-sum-exp by NumPy's
# logaddexp.
# %% q2
def vjp_sub(x, y, g):
    return [g + 0.0, np.negative(g)]


def vjp_mul(x, y, g):
    return np.multiply(g, y), np.multiply(g, x)


def vjp_div(x, y, g):
    share = g / y
    return share, -share * x / y

# %% q5
def cross_entropy(scores, labels):
    chosen = [row[label] for row, label in zip(scores, labels)]
    return np.mean(np.logaddexp.reduce(scores, axis=1) - chosen)


def vjp_cross_entropy(scores, labels, g):
    p = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])
    for row, label in zip(p, labels):
        row[label] -= 1
    return p * (g / len(labels))

# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [1 + rng.random(shape) for shape in shapes]
    g = 1 + rng.random(np.shape(f(*inputs)))
    found = list(vjp(*inputs, g))
    if len(found) != len(inputs):
        return False
    for which, x in enumerate(inputs):
        if np.shape(found[which]) != x.shape:
            return False
        for place in np.ndindex(x.shape):
            kept = x[place]
            x[place] = kept + 1e-6
            ahead = np.array(f(*inputs))  # or a view of x would move with it
            x[place] = kept - 1e-6
            slope = np.sum(g * (ahead - f(*inputs))) / 2e-6
            x[place] = kept
            if not abs(slope - found[which][place]) <= 1e-4:
                return False
    return True


# %% as_jacobians | right: builds whole Jacobians, slow and plain, and tests entry by entry with
# signs.
# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    x_bar = []
    for unit in np.eye(x.size):
        x_bar.append(np.sum(unit.reshape(x.shape).sum(axis=axis, keepdims=keepdims) * g))
    return np.array(x_bar).reshape(x.shape)

# %% q4
def vjp_matmul(x, y, g):
    def pulled(f, shape):
        units = np.eye(int(np.prod(shape))).reshape(-1, *shape)
        return np.array([np.sum(g * f(unit)) for unit in units]).reshape(shape)
    return pulled(lambda u: u @ y, x.shape), pulled(lambda u: x @ u, y.shape)

# %% q5
def cross_entropy(scores, labels):
    chosen = scores[np.arange(len(labels)), labels][:, None]
    higher = scores - chosen
    top = np.maximum(higher.max(axis=1, keepdims=True), 0)
    return np.mean(top + np.log(np.exp(higher - top).sum(axis=1, keepdims=True)))


def vjp_cross_entropy(scores, labels, g):
    slopes = []
    for row, label in zip(scores, labels):
        p = np.exp(row - row.max())
        p = p / p.sum()
        jacobian = np.diag(p) - np.outer(p, p)
        slopes.append(p * 0 + jacobian[label] / -max(p[label], 1e-300) if p[label] > 0
                      else p - np.eye(len(row))[label])
    return g * np.array(slopes) / len(labels)

# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed + 1)
    inputs = [1.5 + 0.4 * np.sin(rng.uniform(0, 6, shape)) for shape in shapes]
    g = 1 + rng.uniform(0, 2, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, g)
    if len(x_bars) != len(inputs):
        return False
    for which, x_bar in enumerate(x_bars):
        wanted = nudged(f, inputs, which, g, step=1e-5)
        if x_bar.shape != wanted.shape or not np.max(np.abs(x_bar - wanted)) <= 1e-6:
            return False
    return True


# %% by_index_and_loop | right: by index: np.add.at, np.take, loops over entries; a test by nudged.
# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    total = np.zeros(shape)
    came_from = np.broadcast_to(np.arange(total.size).reshape(shape), np.shape(g))
    np.add.at(total.reshape(-1), came_from.reshape(-1), np.asarray(g).reshape(-1))
    return total

# %% q2
def pair_rule(by_x, by_y):
    return lambda x, y, g: tuple(g * np.asarray(by(x, y), float) for by in (by_x, by_y))


vjp_sub = pair_rule(lambda x, y: np.ones(x.shape), lambda x, y: -np.ones(x.shape))
vjp_mul = pair_rule(lambda x, y: y, lambda x, y: x)
vjp_div = pair_rule(lambda x, y: 1 / y, lambda x, y: -(x / y) / y)

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    where = np.arange(x.size).reshape(x.shape)
    g = np.asarray(g)
    if axis is None:
        return np.take(g.reshape(1), np.zeros_like(where))
    front = np.moveaxis(where, axis, 0)
    x_bar = np.empty(front.shape, np.result_type(g, float))
    x_bar[...] = g.reshape(front.shape[1:])
    return np.moveaxis(x_bar, 0, axis)

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    if np.ndim(x) == 3:
        pairs = [vjp_matmul(*three) for three in zip(x, y, g)]
        bars = np.zeros(np.shape(x)), np.zeros(np.shape(y))
        for i, pair in enumerate(pairs):
            bars[0][i], bars[1][i] = pair
        return bars
    return np.tensordot(g, y, ([1], [1])), np.tensordot(x, g, ([0], [0]))

# %% q5
def one_row(row):
    top = float(max(row))
    powers = [math.exp(float(s) - top) for s in row]
    total = math.fsum(powers)
    return top + math.log(total), [power / total for power in powers]


import math


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    return sum(one_row(row)[0] - float(row[label])
               for row, label in zip(scores, labels)) / len(labels)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    return np.array([[(p - (j == label)) * float(g) / len(labels)
                      for j, p in enumerate(one_row(row)[1])]
                     for row, label in zip(scores, labels)])

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [1 + rng.random(shape) for shape in shapes]
    g = np.asarray(rng.standard_normal(np.shape(f(*map(np.copy, inputs)))))
    came = list(vjp(*map(np.copy, inputs), g.copy()))
    wanted = [nudged(f, inputs, i, g) for i in range(len(inputs))]
    if [np.shape(x_bar) for x_bar in came] != [np.shape(x_bar) for x_bar in wanted]:
        return False
    for x_bar, right in zip(came, wanted):
        size = np.max(np.abs(right), initial=1e-300)
        if not np.all(np.abs(x_bar - right) <= 1e-4 * np.abs(right) + 1e-6 * size):
            return False
    return True


# %% counting_places | right: unbroadcast counts in which place each entry of g falls (bincount with
# weights), vjp_sum looks g's places up, and products are written with einsum.
# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    size = int(np.prod(shape, dtype=int))
    places = np.broadcast_to(np.arange(size).reshape(shape), np.shape(g))
    return np.bincount(places.ravel(), weights=np.ravel(g), minlength=size).reshape(shape)

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    x = np.asarray(x)
    if axis is None:
        return np.zeros(x.shape) + np.ravel(g)[0]
    kept = list(x.shape)
    kept[axis] = 1
    where = np.indices(x.shape)
    where[axis] = 0
    return np.reshape(g, kept)[tuple(where)]

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return [np.einsum("...ik,...jk->...ij", g, y), np.einsum("...ki,...kj->...ij", x, g)]


# %% einsum_and_one_hot | right: einsum with numbered axes, one-hot rows, logaddexp, and a test by
# one direction for each input.
# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    padded = (1,) * (np.ndim(g) - len(shape)) + tuple(shape)
    axes = tuple(i for i, (own, of_g) in enumerate(zip(padded, np.shape(g))) if own != of_g)
    return np.sum(g, axis=axes, keepdims=True).reshape(shape)

# %% q2
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return np.multiply.outer([1.0, -1.0], g)[0], np.multiply.outer([1.0, -1.0], g)[1]


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    return np.einsum("...,...->...", g, y), np.einsum("...,...->...", g, x)


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    x_bar = np.true_divide(g, y)
    return x_bar, np.negative(x_bar * np.true_divide(x, y))

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    kept = list(x.shape)
    for i in range(x.ndim) if axis is None else [axis]:
        kept[i] = 1
    return np.ones(x.shape) * np.reshape(g, kept)

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return (np.einsum("...np,...mp->...nm", g, y), np.einsum("...nm,...np->...mp", x, g))

# %% q5
def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    own = np.take_along_axis(scores, np.asarray(labels)[:, None], 1)
    return np.mean(np.logaddexp.reduce(scores, axis=1, keepdims=True) - own)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    return (p - np.eye(scores.shape[1])[np.asarray(labels)]) * (g / len(labels))

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(1, 2, shape) for shape in shapes]
    g = rng.normal(size=np.shape(f(*inputs)))
    bars = [np.array(x_bar) for x_bar in vjp(*[x + 0 for x in inputs], g + np.zeros(np.shape(g)))]
    if len(bars) != len(shapes):
        return False
    for which, x_bar in enumerate(bars):
        if x_bar.shape != inputs[which].shape:
            return False
        for _ in range(3):
            v = rng.normal(size=x_bar.shape)
            moved = [list(inputs), list(inputs)]
            moved[0][which] = inputs[which] + 1e-6 * v
            moved[1][which] = inputs[which] - 1e-6 * v
            f_dot = (np.asarray(f(*moved[0])) - f(*moved[1])) / 2e-6
            parts = g * f_dot, v * x_bar
            scale = np.sqrt(np.sum(parts[0] ** 2)) + np.sqrt(np.sum((v * x_bar) ** 2))
            if not abs(np.sum(parts[0]) - np.sum(parts[1])) <= 1e-5 * scale:
                return False
    return True


# %% entry_by_entry | right: plain loops over the entries, as the specification reads.
# %% q1
def unbroadcast(g, shape):
    result = np.zeros(shape)
    for place in np.ndindex(g.shape):
        tail = place[len(place) - len(shape):]
        result[tuple(0 if n == 1 else i for i, n in zip(tail, shape))] += g[place]
    return result

# %% q2
def vjp_sub(x, y, g):
    return g.copy(), 0 - g


def vjp_mul(x, y, g):
    return np.array([g * y, g * x])


def vjp_div(x, y, g):
    x_bar = g * (1 / y)
    return [x_bar, -(x / y) * x_bar]

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    result = np.empty(x.shape)
    g = np.asarray(g)
    for place in np.ndindex(x.shape):
        if axis is None:
            result[place] = g.reshape(-1)[0]
            continue
        here = list(place)
        if keepdims:
            here[axis] = 0
        else:
            del here[axis]
        result[place] = g[tuple(here)]
    return result

# %% q4
def vjp_matmul(x, y, g):
    x_bar, y_bar = np.zeros(x.shape), np.zeros(y.shape)
    for place in np.ndindex(x.shape[:-2]):
        n, m = x.shape[-2:]
        for i in range(n):
            for j in range(m):
                x_bar[place + (i, j)] = sum(g[place][i] * y[place][j])
        for i in range(n):
            y_bar[place] += np.outer(x[place][i], g[place][i])
    return x_bar, y_bar

# %% q5
import math


def row_logs(row):
    top = max(row)
    total = sum(math.exp(s - top) for s in row)
    return [s - top - math.log(total) for s in row]


def cross_entropy(scores, labels):
    return sum(-row_logs(row)[k] for row, k in zip(scores.tolist(), labels)) / len(labels)


def vjp_cross_entropy(scores, labels, g):
    slopes = []
    for row, k in zip(scores.tolist(), labels):
        slopes.append([math.exp(p) - (j == k) for j, p in enumerate(row_logs(row))])
    return g * np.array(slopes) / len(labels)


# %% logaddexp | right: the loss with np.logaddexp.reduce, its rule as exp(log p) less one-hot by
# comparison; rules for each entry with numpy's named functions.
# %% q2
vjp_sub = lambda x, y, g: (np.array(g, float), np.negative(g))
vjp_mul = lambda x, y, g: (np.multiply(g, y), np.multiply(g, x))
def vjp_div(x, y, g):
    return np.divide(g, y), np.negative(np.divide(np.divide(np.multiply(g, x), y), y))

# %% q5
def log_softmax(scores):
    """log p, row by row."""
    scores = np.asarray(scores, float)
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    rows = log_softmax(scores)
    return -sum(row[label] for row, label in zip(rows, labels)) / len(rows)


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    p = np.exp(log_softmax(scores))
    is_label = np.arange(p.shape[1]) == np.asarray(labels).reshape(-1, 1)
    return (p - is_label) * (g / len(p))


# %% one_direction_at_a_time | right: einsum, one-hot labels, and a test by one random direction.
# %% q1
def unbroadcast(g, shape):
    while g.ndim > len(shape):
        g = g.sum(0)
    for axis, length in enumerate(shape):
        if length == 1:
            g = np.add.reduce(g, axis=axis, keepdims=True)
    return g

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    shape = [1] * x.ndim
    if axis is not None:
        shape = list(x.shape)
        shape[axis] = 1
    return np.reshape(g, shape) * np.ones_like(x)

# %% q4
def vjp_matmul(x, y, g):
    return np.einsum("...np,...mp->...nm", g, y), np.einsum("...nm,...np->...mp", x, g)

# %% q5
def probabilities(scores):
    powers = np.exp(scores - np.max(scores, 1)[:, None])
    return powers / powers.sum(1)[:, None]


def cross_entropy(scores, labels):
    low = scores - np.max(scores, 1)[:, None]
    chosen = (low * np.eye(scores.shape[1])[labels]).sum(1)
    return np.mean(np.log(np.exp(low).sum(1)) - chosen)


def vjp_cross_entropy(scores, labels, g):
    return (probabilities(scores) - np.eye(scores.shape[1])[labels]) * (g / len(scores))

# %% q6
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    xs = [np.exp(0.3 * rng.normal(size=shape)) for shape in shapes]
    vs = [rng.normal(size=shape) for shape in shapes]
    g = rng.normal(size=np.shape(f(*xs)))
    ahead, behind = (f(*[x + t * v for x, v in zip(xs, vs)]) for t in (1e-5, -1e-5))
    forward = np.sum(g * (ahead - behind)) / 2e-5
    x_bars = vjp(*xs, g)
    if list(map(np.shape, xs)) != list(map(np.shape, x_bars)):
        return False
    reverse = sum(np.sum(v * x_bar) for v, x_bar in zip(vs, x_bars))
    return bool(abs(forward - reverse) < 1e-5 * (1 + abs(forward)))


# %% several_directions | right: unbroadcast by one reduction; three random directions, one seed
# each.
# %% q1
def unbroadcast(g, shape):
    padded = (1,) * (np.ndim(g) - len(shape)) + tuple(shape)
    axes = tuple(axis for axis, length in enumerate(padded) if length == 1)
    return np.sum(g, axis=axes).reshape(shape)

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    kept = np.ones_like(x).sum(axis=axis, keepdims=True).shape
    return np.zeros(x.shape) + np.asarray(g).reshape(kept)

# %% q6
def is_right(f, vjp, shapes, seed):
    return all(agrees(f, vjp, shapes, np.random.default_rng([seed, turn])) for turn in range(3))


def agrees(f, vjp, shapes, rng):
    xs = [rng.uniform(0.6, 1.8, shape) for shape in shapes]
    vs = [rng.uniform(-1, 1, shape) for shape in shapes]
    g = rng.uniform(-1, 1, np.shape(f(*xs)))
    bars = [np.asarray(bar) for bar in vjp(*xs, g)]
    if tuple(bar.shape for bar in bars) != tuple(x.shape for x in xs):
        return False
    step = 1e-5
    ahead = f(*(x + step * v for x, v in zip(xs, vs)))
    back = f(*(x - step * v for x, v in zip(xs, vs)))
    moved = np.vdot(g, ahead - back) / (2 * step)
    return bool(abs(moved - sum(np.vdot(v, bar) for v, bar in zip(vs, bars))) < 1e-6)


# %% sums_one_after_another | right: sums by Python's sum, indices made of slices, a test that
# nudges one flat vector.
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


# %% views_and_what_is_kept | right: what needs no numbers of its own is a view of g; softmax is
# kept by all that it depends on; a test by f's linear part in each direction, at points of its own
# seed.
# %% q1
def unbroadcast(g, shape):
    """The sum of g over all that broadcasting repeated, in the shape `shape`."""
    if g.shape == tuple(shape):
        return g
    extra = g.ndim - len(shape)
    kept = [axis + extra for axis, n in enumerate(shape) if n == 1 != g.shape[axis + extra]]
    return g.sum((*range(extra), *kept), keepdims=True).reshape(shape)

# %% q2
def vjp_sub(x, y, g):
    """The cotangents of x and y in x - y."""
    return [g, np.negative(g)]


def vjp_mul(x, y, g):
    """The cotangents of x and y in x * y."""
    return [y * g, x * g]


def vjp_div(x, y, g):
    """The cotangents of x and y in x / y."""
    return [g / y, -(g / y) * (x / y)]

# %% q3
def vjp_sum(x, g, axis=None, keepdims=False):
    """The cotangent of x in x.sum(axis, keepdims=keepdims)."""
    kept = x.sum(axis, keepdims=True).shape
    return np.broadcast_to(np.reshape(g, kept), x.shape)

# %% q4
def vjp_matmul(x, y, g):
    """The cotangents of x and y in x @ y, for matrices and for stacks of them."""
    return np.matmul(g, np.moveaxis(y, -1, -2)), np.matmul(np.moveaxis(x, -1, -2), g)

# %% q5
KEPT = {}


def softmax(scores):
    name = scores.shape, scores.dtype.str, scores.tobytes()
    if name not in KEPT:
        powers = np.exp(scores - scores.max(1, keepdims=True))
        KEPT[name] = powers / powers.sum(1, keepdims=True)
    return KEPT[name]


def cross_entropy(scores, labels):
    """The mean over the rows of -log softmax(row)[label]."""
    top = scores.max(1)
    totals = np.exp(scores - top[:, None]).sum(1)
    return np.mean(top - scores[np.arange(len(scores)), labels] + np.log(totals))


def vjp_cross_entropy(scores, labels, g):
    """The cotangent of scores in cross_entropy(scores, labels)."""
    one_hot = np.zeros(scores.shape)
    one_hot[np.arange(len(scores)), labels] = 1
    return (softmax(scores) - one_hot) * g / len(scores)

# %% q6
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(1, 3, shape) for shape in shapes]
    g = rng.uniform(1, 2, np.shape(f(*inputs)))
    bars = tuple(vjp(*inputs, g))
    if tuple(map(np.shape, bars)) != tuple(map(np.shape, inputs)):
        return False
    for which, bar in enumerate(bars):
        for _ in range(2):
            v = rng.standard_normal(inputs[which].shape)
            ahead, behind = (
                np.array(f(*[x + t * v if i == which else x for i, x in enumerate(inputs)]))
                for t in (1e-6, -1e-6)
            )
            if not np.isclose(np.sum(g * (ahead - behind)) / 2e-6, np.sum(v * bar), 1e-5, 1e-6):
                return False
    return True
