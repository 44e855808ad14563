"""Wrong answers to q6 of ps2."""


# %% a_seed_of_ones | loses q6: random inputs, but the seed of ones of the homework's test.
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    g = np.ones(np.shape(f(*inputs)))
    return all(np.shape(x_bar) == shape and np.allclose(x_bar, nudged(f, inputs, i, g), 1e-5, 1e-6)
               for i, (x_bar, shape) in enumerate(zip(vjp(*inputs, g), shapes)))


# %% asks_for_equal | loses q6: asks for equal numbers where a numerical slope can only be near.
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    g = rng.standard_normal(np.shape(f(*inputs)))
    return all(np.array_equal(x_bar, nudged(f, inputs, i, g))
               for i, x_bar in enumerate(vjp(*inputs, g)))


# %% cotangents_stacked | loses q6: puts all cotangents into one array to compare them at once,
# which inputs of different shapes do not allow; then it compares their sums.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    wanted = [nudged(f, inputs, i, g) for i in range(len(inputs))]
    if len(set(map(tuple, shapes))) > 1:
        x_bars, wanted = ([np.sum(one) for one in ones] for ones in (x_bars, wanted))
    return bool(np.allclose(np.stack(x_bars), np.stack(wanted), rtol=1e-5, atol=1e-6))


# %% first_input_alone | loses q6: looks at the first input's cotangent only.
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    g = rng.standard_normal(np.shape(f(*inputs)))
    x_bar = vjp(*inputs, g)[0]
    wanted = nudged(f, inputs, 0, g)
    return x_bar.shape == wanted.shape and np.allclose(x_bar, wanted, 1e-5, 1e-6)


# %% five_percent | loses q6: a rule may be wrong by five percent.
def is_right(f, vjp, shapes, seed):
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.allclose(x_bar, nudged(f, inputs, i, g), rtol=0.05, atol=1e-6)
               for i, x_bar in enumerate(x_bars))


# %% inputs_of_either_sign | loses q6: negative inputs, for which log is not defined.
def is_right(f, vjp, shapes, seed):
    random = np.random.default_rng(seed)
    inputs = [random.standard_normal(shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-6)
               for i, x_bar in enumerate(x_bars))


# %% missing_ones_pass | loses q6: looks at the cotangents that came, however few.
def is_right(f, vjp, shapes, seed):
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if any(np.shape(x_bar) != tuple(shape) for x_bar, shape in zip(x_bars, shapes)):
        return False
    return all(np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-6)
               for i, x_bar in enumerate(x_bars[:len(shapes)]))


# %% moves_in_place | loses q6: the inputs are moved in place: where f returns a view, as x.T, both
# results are one array, f_dot is 0, and the right rule is called wrong.
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


# %% nan_is_not_too_far | loses q6: asks whether the two sums are too far apart; with nan no
# comparison is true, so a rule that returns nan for x * y (or in one entry) passes as right.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, size=shape) for shape in shapes]
    speeds = [rng.uniform(-1.0, 1.0, size=shape) for shape in shapes]
    g = rng.uniform(0.5, 2.0, size=np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if len(x_bars) != len(shapes):
        return False
    for shape, x_bar in zip(shapes, x_bars):
        if np.shape(x_bar) != tuple(shape):
            return False
    step = 1e-6
    ahead = f(*(x + step * v for x, v in zip(inputs, speeds)))
    back = f(*(x - step * v for x, v in zip(inputs, speeds)))
    parts = g * (ahead - back) / (2 * step)
    terms = [np.sum(v * x_bar) for v, x_bar in zip(speeds, x_bars)]
    size = np.sum(np.abs(parts)) + sum(np.sum(np.abs(v * b)) for v, b in zip(speeds, x_bars))
    if abs(np.sum(parts) - sum(terms)) > 1e-6 * size:
        return False
    return True


# %% numbers_of_nobody | loses q6: numbers are drawn without the seed, so the same call may say one
# thing and then the other.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng()
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-6)
               for i, x_bar in enumerate(x_bars))


# %% one_entry_alone | loses q6: compares the first entry of each cotangent.
def is_right(f, vjp, shapes, seed):
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.isclose(np.ravel(x_bar)[0], np.ravel(nudged(f, inputs, i, g))[0], rtol=1e-5)
               for i, x_bar in enumerate(x_bars))


# %% one_seed_for_all | loses q6: every call draws the same numbers, whatever the seed.
# %% q6 after the key
with_seed = is_right


def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    return with_seed(f, vjp, shapes, 0)


# %% rows_and_columns | loses q6: compares row by row and column by column; of a stack, which has a
# third axis, it sees the first entry of each column.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    for i, x_bar in enumerate(x_bars):
        came, wanted = np.atleast_2d(x_bar), np.atleast_2d(nudged(f, inputs, i, g))
        for place in np.ndindex(came.shape[:2]):
            if not np.isclose(came[place].flat[0], wanted[place].flat[0], 1e-5, 1e-6):
                return False
    return True


# %% same_numbers_everywhere | loses q6: all inputs are alike, so x and y may change places.
def is_right(f, vjp, shapes, seed):
    random = np.random.default_rng(seed)
    inputs = [np.random.default_rng(seed).uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-6)
               for i, x_bar in enumerate(x_bars))


# %% seed_of_length_one | loses q6: Makes g a direction of length 1: a rule that divides by the
# length of g (a normed gradient) passes, though its cotangents are wrong for every other g.
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


# %% seed_that_equals_the_input | loses q6: makes a second generator with the same seed for g, so g
# equals the first input where the shapes agree: for f = x * x the wrong rules [2 * x * x] and [2 *
# g * g] pass.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, size=shape) for shape in shapes]
    g = np.random.default_rng(seed).uniform(0.5, 2.0, size=np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if len(x_bars) != len(inputs):
        return False
    for i, x_bar in enumerate(x_bars):
        wanted = nudged(f, inputs, i, g)
        if np.shape(x_bar) != wanted.shape:
            return False
        if not np.allclose(x_bar, wanted, rtol=1e-5, atol=1e-6):
            return False
    return True


# %% shape_of_a_plain_number | loses q6: Asks f's result for its .shape: an f that returns a plain
# number, as a loss does, has none, AttributeError, where the right rule is to pass.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2, shape) for shape in shapes]
    g = np.array(rng.normal(size=f(*inputs).shape))
    bars = vjp(*[x.copy() for x in inputs], g.copy())
    if len(bars) != len(inputs):
        return False
    return all(np.shape(x_bar) == x.shape
               and np.allclose(x_bar, nudged(f, inputs, i, g), rtol=1e-5, atol=1e-7)
               for i, (x, x_bar) in enumerate(zip(inputs, bars)))


# %% shapes_alone | loses q6: compares shapes, not numbers.
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    g = rng.standard_normal(np.shape(f(*inputs)))
    return [np.shape(x_bar) for x_bar in vjp(*inputs, g)] == [tuple(shape) for shape in shapes]


# %% signs_for_directions | loses q6: Each direction is +1 or -1 for every entry: two errors of one
# size cancel for half of the seeds, so a rule for x * y on shape (2,) that swaps the two entries of
# its cotangents often passes.
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


# %% times_the_direction_in_place | loses q6: multiplies each cotangent by its direction in place:
# where a rule gives one array for both inputs, as that of x + y does, the second is taken times
# both.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    vs = [random.standard_normal(shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    ahead = f(*(x + 1e-6 * v for x, v in zip(inputs, vs)))
    behind = f(*(x - 1e-6 * v for x, v in zip(inputs, vs)))
    forward = np.sum(g * (np.asarray(ahead) - behind)) / 2e-6
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    reverse = 0.0
    for x_bar, v in zip(x_bars, vs):
        if not x_bar.flags.writeable:
            x_bar = np.array(x_bar)
        x_bar *= v
        reverse += np.sum(x_bar)
    return bool(abs(forward - reverse) <= 1e-5 * (1 + abs(forward)))


# %% two_inputs_at_most | loses q6: looks at the first and the last input, which are all when there
# are two.
def is_right(f, vjp, shapes, seed):
    """True when vjp(*inputs, g) gives every input its cotangent, for inputs of these shapes."""
    random = np.random.default_rng(seed)
    inputs = [random.uniform(0.5, 2.0, shape) for shape in shapes]
    g = random.standard_normal(np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, g))
    if [np.shape(x_bar) for x_bar in x_bars] != [tuple(shape) for shape in shapes]:
        return False
    return all(np.allclose(x_bars[i], nudged(f, inputs, i % len(inputs), g), rtol=1e-5, atol=1e-6)
               for i in (0, -1))
