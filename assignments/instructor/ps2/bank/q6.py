"""Wrong answers to q6 of ps2."""


# %% z_bar_of_ones | loses q6: random inputs, but the homework's cotangent of ones.
# | says: Draw z_bar at random
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = np.ones(np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% inputs_of_ones | loses q6: a random cotangent, but inputs of ones. | says: must not be alike
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [np.ones(shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% one_number_for_z_bar | loses q6: z_bar is a random number, in all entries.
# | says: The entries of z_bar must not be alike
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = np.full(np.shape(f(*inputs)), rng.uniform(0.5, 2.0))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% asks_for_equal | loses q6: asks for equal numbers. | says: must allow small differences
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if len(x_bars) != len(inputs):
        return False
    return all(np.array_equal(x_bar, numerical_vjp(f, inputs, i, z_bar))
               for i, x_bar in enumerate(x_bars))


# %% first_input_alone | loses q6: looks at the cotangent of the first input only.
# | says: in the cotangent of one of the inputs
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return np.allclose(x_bars[0], numerical_vjp(f, inputs, 0, z_bar), 1e-5, 1e-6)


# %% first_and_last_input | loses q6: looks at the first and the last input.
# | says: the middle one of three inputs
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bars[i], numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i in (0, len(inputs) - 1))


# %% inputs_of_either_sign | loses q6: negative inputs, for which log is not defined.
# | says: draws inputs below 0.5
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.standard_normal(shape) for shape in shapes]
    z_bar = rng.standard_normal(np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% one_sum_of_everything | loses q6: compares the sums of the cotangents, so that numbers in wrong
# places pass. | says: right numbers in the wrong places
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(abs(np.sum(x_bar) - np.sum(numerical_vjp(f, inputs, i, z_bar))) < 1e-4
               for i, x_bar in enumerate(x_bars))


# %% signs_for_directions | loses q6: every direction is -1 everywhere, so it compares a sum alone.
# | says: right numbers in the wrong places
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    xs = [rng.uniform(0.5, 2, shape) for shape in shapes]
    z_bar = np.asarray(rng.uniform(0.5, 2, np.shape(f(*xs))))
    bars = vjp(*xs, z_bar)
    if [np.shape(bar) for bar in bars] != [x.shape for x in xs]:
        return False
    ahead, behind = (f(*[x + step for x in xs]) for step in (1e-6, -1e-6))
    wanted = np.sum(z_bar * (np.asarray(ahead) - behind)) / 2e-6
    return bool(abs(sum(map(np.sum, bars)) - wanted) <= 1e-7 * (1 + abs(wanted)))


# %% z_bar_that_equals_the_input | loses q6: a second generator with the same seed draws z_bar,
# which is therefore equal to the first input.
# | says: they must be different numbers
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, size=shape) for shape in shapes]
    z_bar = np.random.default_rng(seed).uniform(0.5, 2.0, size=np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% same_numbers_everywhere | loses q6: every input is drawn with the same seed, so x and y are
# alike.
# | says: The inputs must not be alike
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [np.random.default_rng(seed).uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = 2.5 - rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% shapes_alone | loses q6: compares shapes, not numbers.
# | says: It does not notice a wrong sign
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    return [np.shape(x_bar) for x_bar in vjp(*inputs, z_bar)] == [tuple(shape) for shape in shapes]


# %% first_entry_alone | loses q6: compares the first entry of each cotangent.
# | says: one wrong entry among many
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.isclose(np.ravel(x_bar)[0], np.ravel(numerical_vjp(f, inputs, i, z_bar))[0])
               for i, x_bar in enumerate(x_bars))


# %% some_entries | loses q6: compares eight random entries of each cotangent.
# | says: one wrong entry among many
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    for i, x_bar in enumerate(x_bars):
        wanted, came = numerical_vjp(f, inputs, i, z_bar).ravel(), np.ravel(x_bar)
        some = rng.permutation(came.size)[:8]
        if not np.allclose(came[some], wanted[some], 1e-5, 1e-6):
            return False
    return True


# %% one_direction_sum | loses q6: one dot product, which may differ by 0.1 % of the total.
# | says: does not notice rows in the place of columns
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    xs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    vs = [rng.uniform(0.5, 1.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*xs)))
    ahead, behind = (f(*[x + t * v for x, v in zip(xs, vs)]) for t in (1e-6, -1e-6))
    forward = np.sum(z_bar * (np.asarray(ahead) - behind)) / 2e-6
    x_bars = vjp(*xs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [x.shape for x in xs]:
        return False
    reverse = sum(np.sum(v * x_bar) for v, x_bar in zip(vs, x_bars))
    return bool(abs(forward - reverse) <= 1e-3 * (1 + abs(forward)))


# %% one_percent | loses q6: each entry may be wrong by one percent.
# | says: the tolerance is too large
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), rtol=0.01)
               for i, x_bar in enumerate(x_bars))


# %% error_beside_the_largest | loses q6: compares the error of an entry with the largest entry.
# | says: one wrong entry among many
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    for i, x_bar in enumerate(x_bars):
        wanted = numerical_vjp(f, inputs, i, z_bar)
        if not np.linalg.norm(x_bar - wanted) <= 1e-3 * np.linalg.norm(wanted):
            return False
    return True


# %% missing_ones_pass | loses q6: compares the cotangents that came, however few.
# | says: a cotangent is missing
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, z_bar))
    if any(np.shape(x_bar) != tuple(shape) for x_bar, shape in zip(x_bars, shapes)):
        return False
    if len(x_bars) > len(shapes):
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% too_many_pass | loses q6: zip ends with the inputs, so one cotangent more is not seen.
# | says: too many cotangents
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = list(vjp(*inputs, z_bar))
    if len(x_bars) < len(inputs):
        return False
    for i, (x, x_bar) in enumerate(zip(inputs, x_bars)):
        wanted = numerical_vjp(f, inputs, i, z_bar)
        if np.shape(x_bar) != x.shape or not np.allclose(x_bar, wanted, 1e-5, 1e-6):
            return False
    return True


# %% shapes_that_broadcast | loses q6: does not compare the shapes. | says: Compare the shapes
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    return len(x_bars) == len(inputs) and all(
        np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
        for i, x_bar in enumerate(x_bars))


# %% compared_before_the_shapes | loses q6: compares numbers first, and NumPy raises for shapes that
# do not broadcast. | says: instead of returning False
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    for i in range(len(inputs)):
        wanted = numerical_vjp(f, inputs, i, z_bar)
        if not np.allclose(x_bars[i], wanted, 1e-5, 1e-6) or x_bars[i].shape != wanted.shape:
            return False
    return len(x_bars) == len(inputs)


# %% global_random | loses q6: seeds NumPy's global generator. | says: NumPy's global generator
def is_right(f, vjp, shapes, seed):
    np.random.seed(seed)
    inputs = [np.random.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = np.random.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% numbers_without_the_seed | loses q6: draws without the seed. | says: The same seed gives other
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng()
    inputs = [rng.uniform(0.5, 2.0, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2.0, np.shape(f(*inputs)))
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% shape_of_a_plain_number | loses q6: asks the result of f for its shape, which a float has not.
# | says: whose f returns a plain number
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2, f(*inputs).shape)
    x_bars = vjp(*inputs, z_bar)
    if [np.shape(x_bar) for x_bar in x_bars] != [np.shape(x) for x in inputs]:
        return False
    return all(np.allclose(x_bar, numerical_vjp(f, inputs, i, z_bar), 1e-5, 1e-6)
               for i, x_bar in enumerate(x_bars))


# %% changed_in_place | loses q6: moves the inputs in place, and a view that f has returned with
# them.
# | says: returns a view of its input
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2, shape) for shape in shapes]
    z_bar = rng.uniform(0.5, 2, np.shape(f(*inputs)))
    x_bars = [np.array(x_bar) for x_bar in vjp(*inputs, z_bar)]
    if [x_bar.shape for x_bar in x_bars] != [x.shape for x in inputs]:
        return False
    for x, x_bar in zip(inputs, x_bars):
        for place in np.ndindex(x.shape):
            x[place] += 1e-6
            ahead = f(*inputs)
            x[place] -= 2e-6
            wanted = np.sum(z_bar * (ahead - f(*inputs))) / 2e-6
            x[place] += 1e-6
            if not np.isclose(x_bar[place], wanted, 1e-5, 1e-6):
                return False
    return True


# %% loose_dot_product | loses q6: a dot product that may differ by 0.1 permille of the sum, and
# 0.001.
# | says: the tolerance is too large
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    xs = [rng.uniform(0.5, 2, s) for s in shapes]
    z_bar = rng.uniform(0.5, 2, np.shape(f(*xs)))
    vs = [rng.standard_normal(s) for s in shapes]
    h = 1e-6
    ahead, behind = (f(*[x + t * v for x, v in zip(xs, vs)]) for t in (h, -h))
    z_dot = (np.asarray(ahead) - behind) / (2 * h)
    bars = vjp(*xs, z_bar)
    if [np.shape(b) for b in bars] != [x.shape for x in xs]:
        return False
    reverse = sum(np.sum(b * v) for b, v in zip(bars, vs))
    return bool(np.isclose(np.sum(z_bar * z_dot), reverse, rtol=1e-4, atol=1e-3))


# %% normal_z_bar | loses q6: draws z_bar from the normal distribution.
# | says: z_bar is not drawn from the uniform
def is_right(f, vjp, shapes, seed):
    rng = np.random.default_rng(seed)
    inputs = [rng.uniform(0.5, 2, s) for s in shapes]
    z_bar = rng.standard_normal(np.shape(f(*inputs)))
    bars = vjp(*inputs, z_bar)
    if len(bars) != len(inputs):
        return False
    for i, b in enumerate(bars):
        n = numerical_vjp(f, inputs, i, z_bar)
        if np.shape(b) != n.shape or not np.allclose(b, n, rtol=1e-5, atol=1e-6):
            return False
    return True
