"""The checks that grade ps9: what the visible ones ask, of other shapes and other numbers."""

from itertools import permutations

import numpy as np
import pytest

from minigrad.course.grading import expect
from minigrad.course.grading.student import during

KEPT = """
import numpy as np

def kept(rule, *given):
    first, second = [[np.array(x) for x in rule(*given)] for _ in range(2)]
    return given, first, second
"""


CALLS = """
def names_in(rule):
    seen, rest = set(), [rule]
    while rest:
        f = rest.pop()
        codes = [f.__code__]
        while codes:
            code = codes.pop()
            codes += [one for one in code.co_consts if hasattr(one, "co_names")]
            new = set(code.co_names) - seen
            seen |= new
            found = [f.__globals__.get(one) for one in new]
            rest += [one for one in found if hasattr(one, "__code__")]
    return list(seen)
"""
BLAME = "{} calls your {}, which is wrong for these arrays: correct {} first."


def blamed(student, rule, because, *cases):
    """`because`, or the first earlier answer that `rule` calls and that is wrong in its case: a
    question, a name, what it is given, and what is wanted."""
    for question, name, given, wanted in cases:
        try:
            if name not in student.define(CALLS).names_in(student[rule]):
                continue
        except AssertionError:  # the rule is no function of Python
            return because
        cause = BLAME.format(rule, name, question)
        try:
            came = student[name](*given)
            expect(came if name == "softmax_vjp" else tuple(came), wanted, because=cause)
        except AssertionError:
            return cause
    return because


def expect_kept(student, name, *given):
    """A second call with the same arrays gives the same, and the arrays have not changed."""
    after, first, second = student.define(KEPT).kept(student[name], *given)
    expect([after, second], [given, first], because="It changes an argument in place (rule 2).",
           of="a second call with the same arrays")


def random(rng, *shape):
    """Numbers around 0 in an array of this shape."""
    return np.random.default_rng(rng.getrandbits(64)).normal(size=shape)


def random_mask(rng, *shape):
    """A mask in which about seven of ten letters may be read."""
    return random(rng, *shape) < 0.5


def turned(x):
    """x with its last two axes exchanged."""
    return np.swapaxes(x, -1, -2)


def reference(q, k, v, mask):
    """(o, p) of attention, row by row."""
    scores = q @ turned(k) / q.shape[-1] ** 0.5
    mask = np.broadcast_to(mask, scores.shape)
    p = np.zeros(scores.shape)
    for row in np.ndindex(scores.shape[:-1]):
        seen = scores[row][mask[row]]
        if seen.size:
            powers = np.exp(seen - seen.max())
            p[row][mask[row]] = powers / powers.sum()
    return p @ v, p


def sum_to(x_bar, shape):
    """x_bar summed to a shape that had been broadcast."""
    while x_bar.ndim > len(shape):
        x_bar = x_bar.sum(axis=0)
    for axis, length in enumerate(shape):
        if length == 1:
            x_bar = x_bar.sum(axis=axis, keepdims=True)
    return x_bar


def rule(q, k, v, mask, o_bar):
    """The cotangents of q, k and v, by the Jacobian of each softmax."""
    p = reference(q, k, v, mask)[1]
    jacobian = p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])
    s_bar = (jacobian @ (o_bar @ turned(v))[..., None])[..., 0] / q.shape[-1] ** 0.5
    bars = s_bar @ k, turned(s_bar) @ q, turned(p) @ o_bar
    return tuple(sum_to(bar, x.shape) for bar, x in zip(bars, (q, k, v)))


def by_difference(f, inputs, bars, z_bar, rng):
    """(a difference quotient of Σ z_bar f in a random direction, the same by the cotangents)."""
    ways, step = [random(rng, *x.shape) for x in inputs], 1e-6
    ends = [f(*[x + sign * step * way for x, way in zip(inputs, ways)]) for sign in (1, -1)]
    slope = np.sum(z_bar * (ends[0] - ends[1])) / (2 * step)
    return float(slope), float(sum(np.sum(bar * way) for bar, way in zip(bars, ways)))


NO_FIT = "The shapes do not fit. For example, `.T` reverses all axes of a stack."
SHAPED = "The cotangent {} does not have the shape of its array: sum over the axes that broadcast."


SOME_SHARED = "It fails where some axes in front are shared or missing, and others are not."


def bars_as(q, k, v, mask, o_bar, root=True, row_sum=True, masked=True, p=None, flip=False):
    """The cotangents of q, k and v before anything shared is summed, by a rule that may lack its
    root, the sum of the softmax's rule, the mask, or, with `flip`, its transposes."""
    if p is None:
        p = reference(q, k, v, mask if masked else np.ones(mask.shape) > 0)[1]
    p_bar = o_bar @ turned(v)
    row = (p * p_bar).sum(axis=-1, keepdims=True) if row_sum else 0.0
    s_bar = p * (p_bar - row) / (q.shape[-1] ** 0.5 if root else 1.0)
    if flip:
        return s_bar @ k, s_bar @ q, p @ o_bar
    return s_bar @ k, turned(s_bar) @ q, turned(p) @ o_bar


def shared_mistakes(bar, shape):
    """What known mistakes give for an array of this shape that others share, and their causes."""
    stretched = [axis for axis, length in enumerate(shape[::-1]) if length == 1]
    count = bar.size / max(1, np.prod(shape))
    if bar.shape != shape:
        whole = sum_to(bar, shape)
        yield bar, "The contributions to what is shared are not summed."
        yield whole / count, "What is shared gets the mean of the contributions, not their sum."
        if bar.ndim == len(shape):
            cut = tuple(slice(0, 1) if n == 1 else slice(None) for n in shape)
            yield bar[cut], "Of what is shared, only the first contribution counts."
        if bar.ndim > len(shape):
            one = bar[(0,) * (bar.ndim - len(shape))]
            yield sum_to(one, shape), "Of what is shared, only the first contribution counts."
        if bar.ndim > len(shape) and stretched:
            front = bar.sum(axis=tuple(range(bar.ndim - len(shape))))
            yield front, "Axes that were missing are summed, and axes of length 1 are not."


def rule_mistakes(name, q, k, v, mask, o_bar):
    """What known mistakes give for the cotangent `name`, and their causes."""
    at, inputs = "qkv".index(name), (q, k, v)
    given = q, k, v, mask, o_bar
    for cause, how in {
        "The scores are divided by √d, and the cotangents are not.": {"root": False},
        "The rule of the softmax lacks its sum over the row.": {"row_sum": False},
        "The weights are those without the mask.": {"masked": False},
    }.items():
        yield sum_to(bars_as(*given, **how)[at], inputs[at].shape), cause
    right = bars_as(*given)
    if name in "qk":
        yield right[1 - at], "The cotangents of q and k are exchanged."
    if mask.shape[-1] == mask.shape[-2] and name != "q":
        yield sum_to(bars_as(*given, flip=True)[at], inputs[at].shape), (
            f"{name}_bar is made without the transpose."
        )
    yield from shared_mistakes(right[at], inputs[at].shape)
    unread = ~np.broadcast_to(mask, right[2].shape[:-2] + mask.shape[-2:]).any(axis=-1)
    if unread.any():
        p = np.array(reference(*given[:4])[1])
        for weight, cause in ((1 / p.shape[-1], EQUAL), (np.nan, NOT_A_NUMBER)):
            p[np.broadcast_to(unread, p.shape[:-1])] = weight
            yield sum_to(bars_as(*given, p=p)[at], inputs[at].shape), cause


def expect_rule(student, rng, shapes, mask, of, fails=NO_FIT):
    """Compare the cotangents with the rule, and the rule with a difference quotient."""
    q, k, v = (random(rng, *shape) for shape in shapes)
    o_bar = random(rng, *reference(q, k, v, mask)[0].shape)
    wanted = rule(q, k, v, mask, o_bar)
    ends = by_difference(lambda *x: reference(*x, mask)[0], (q, k, v), wanted, o_bar, rng)
    assert abs(ends[0] - ends[1]) < 1e-5 * (1 + abs(ends[0])), "the course's rule is wrong"
    compare_bars(student, (q, k, v, mask, o_bar), wanted, of, fails)


def compare_bars(student, given, wanted, of, fails=NO_FIT, wrong=""):
    """Compare each of the three cotangents with what is wanted. `fails` is the cause where the code
    raises, and `wrong` where a cotangent has the right shape."""
    q, k, v, mask, o_bar = given
    o, p = reference(q, k, v, mask)
    p_bar = o_bar @ turned(v)
    earlier = (
        ("q1", "softmax_vjp", (p, p_bar), softmax_rule(p, p_bar)) if p.shape == p_bar.shape else (),
        ("q2", "attention", (q, k, v, mask), (o, p)),
    )
    earlier = [case for case in earlier if case]
    with during(of, because=blamed(student, "attention_vjp", fails, *earlier)):
        came = tuple(student.attention_vjp(*given))
    expect(len(came), 3, because="It does not return three cotangents.", of=of)
    for name, one, right in zip("qkv", came, wanted):
        shaped = np.shape(one) == right.shape
        because = wrong or f"The cotangent {name}_bar is wrong."
        because = because if shaped else SHAPED.format(f"{name}_bar")
        because = blamed(student, "attention_vjp", because, *earlier)
        mistakes = rule_mistakes(name, *given)
        expect(one, right, because=because, of=f"{name}_bar {of}", mistakes=mistakes)


# q1 ----------------------------------------------------------------------------------------------


def weights(rng, *shape):
    """Weights that sum to 1 along the last axis."""
    p = np.exp(random(rng, *shape))
    return p / p.sum(axis=-1, keepdims=True)


def softmax_rule(p, p_bar):
    """The cotangent of the scores, by the Jacobian of each row."""
    jacobian = p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])
    return (jacobian @ p_bar[..., None])[..., 0]


def softmax_mistakes(p, p_bar):
    """What known mistakes give for the rule of the softmax, and their causes."""
    product, mean = p * p_bar, p_bar.mean(axis=-1, keepdims=True)
    yield product, "The sum over the row is missing: each score occurs in every weight of its row."
    yield product * (1 - p), "Only the diagonal of the Jacobian counts: p (1 - p)."
    yield p * (p_bar - mean), "It subtracts the plain mean of p_bar, not its weighted sum."
    plain = p_bar.sum(axis=-1, keepdims=True)
    yield p * (p_bar - plain), "It subtracts the plain sum of p_bar, not its weighted sum."
    yield p - p_bar, "This is the rule of the softmax and the cross-entropy together."
    row = product.sum(axis=-1, keepdims=True)
    yield p_bar - row, "The factor p is missing."
    yield p * (p_bar - product.sum()), "One sum is taken for all rows."
    if p.ndim > 1:
        first = product.sum(axis=0, keepdims=True)
        yield p * (p_bar - first), "The sum runs along axis 0 instead of the last axis."
    if p.ndim > 2:
        yield p * (p_bar - product.sum(axis=1, keepdims=True)), "The sum runs along axis 1."
    if p.ndim > 1 and p.shape[-1] == p.shape[-2]:
        lost = p * (p_bar - row[..., 0][..., None, :])
        yield lost, "The sums lose their axis, and then broadcast along the wrong one."


FOUR = "It fits up to three axes. Texts and heads together make four."


def expect_softmax(student, p, p_bar, of, because):
    """Compare softmax_vjp with the rule."""
    with during(of, because=FOUR if p.ndim > 3 else "It fails for this number of axes."):
        came = student.softmax_vjp(p, p_bar)
    wanted, mistakes = softmax_rule(p, p_bar), softmax_mistakes(p, p_bar)
    if np.shape(came) != p.shape:
        because = "The result does not have p's shape."
    expect(came, wanted, because=because, of=of, mistakes=mistakes)


NO_SUM = "The rule does not subtract Σ p p_bar along the last axis, or not times p."


@pytest.mark.question("q1", points=2, core=True, hint=(
    "The softmax runs along the last axis of a matrix and of a stack."
))
def test_a_stack(student, rng):
    """matrices and stacks, cubes too"""
    for shape in ((2, 3), (2, 3, 4), (3, 3, 3), (2, 2, 2, 2), (2, 1, 3, 5)):
        p, p_bar = weights(rng, *shape), random(rng, *shape)
        cause = FOUR if len(shape) > 3 else NO_SUM  # three axes have passed
        expect_softmax(student, p, p_bar, f"p of shape {shape}", cause)


@pytest.mark.question("q1", points=0.5, hint="Compare one row with nudged.")
def test_a_matrix(student, rng):
    """square matrices, and one column"""
    for shape in ((4, 4), (3, 1)):
        p, p_bar = weights(rng, *shape), random(rng, *shape)
        expect_softmax(student, p, p_bar, f"p of shape {shape}", NO_SUM)


@pytest.mark.question("q1", points=0.5, corner=True, hint=(
    "A row alone has one axis. Arguments stay as they are (rule 2)."
))
def test_a_row_alone(student, rng):
    """one axis; weights of 0; arguments that stay"""
    p, p_bar = weights(rng, 5), random(rng, 5)
    expect_softmax(student, p, p_bar, "p of shape (5,)", NO_SUM)
    p = np.array([0.0, 1.0, 0.0])
    because = "A weight of 0 gives nan: the rule divides by p, or takes its logarithm."
    expect_softmax(student, p, p_bar[:3], "p = [0, 1, 0]", because)
    expect_kept(student, "softmax_vjp", weights(rng, 2, 3), random(rng, 2, 3))


# q2 ----------------------------------------------------------------------------------------------


EQUAL = "A letter that may read nothing reads all letters with equal weights."
NOT_A_NUMBER = "Where nothing may be read, the weights are nan."


def softmax_of(scores, axis=-1):
    """The softmax along an axis; a row of -inf gives nan."""
    with np.errstate(invalid="ignore"):
        powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)


def weight_mistakes(q, k, mask):
    """The weights that known mistakes give, and their causes."""
    plain = q @ turned(k)
    d, n = q.shape[-1], q.shape[-2]
    scores = plain / d**0.5

    def hide(scores, mask=mask):
        return np.where(mask, scores, -np.inf)

    yield softmax_of(hide(plain)), "The scores are not divided by √d."
    yield softmax_of(hide(plain / d)), "The scores are divided by d instead of √d."
    yield softmax_of(hide(plain / n**0.5)), "It takes d from the axis of the letters."
    yield softmax_of(scores) * mask, (
        "The mask comes after the softmax, so the weights of a row do not sum to 1."
    )
    if mask.shape[-1] == mask.shape[-2]:
        yield softmax_of(hide(scores, turned(mask))), (
            "The mask is transposed. Its row i says what letter i may read."
        )
    yield softmax_of(hide(scores, ~mask)), "The mask is inverted: True means that it may be read."
    yield softmax_of(scores), "The mask is not used."
    yield softmax_of(scores * mask), "Hidden scores are 0 instead of -inf: e to the power 0 is 1."
    columns = softmax_of(hide(scores), -2)
    for found in (columns, np.nan_to_num(columns)):
        yield found, "The softmax runs over the queries instead of the keys."
    weights = softmax_of(hide(scores))
    yield weights, NOT_A_NUMBER
    yield np.where(np.isnan(weights), 1 / weights.shape[-1], weights), EQUAL


def overflow_mistakes(q, k, mask):
    """The weights that known mistakes with large scores give, and their cause."""
    scores = q @ turned(k) / q.shape[-1] ** 0.5
    cause = "Scores overflow, or all become 0: subtract the largest score that may be read."
    with np.errstate(all="ignore"):
        for least in (0.0, scores.max(axis=-1, keepdims=True)):
            powers = np.where(mask, np.exp(scores - least), 0.0)
            total = powers.sum(axis=-1, keepdims=True)
            yield powers / total, cause
            yield powers / np.where(total > 0, total, 1.0), cause


def large_mistakes(q, k, mask):
    """The weights that known mistakes with scores of all sizes give, and their causes."""
    scores = q @ turned(k) / q.shape[-1] ** 0.5
    seen = np.where(mask, scores, -np.inf)
    largest = seen.max(axis=-1, keepdims=True)
    for least, cause in (
        (seen.max(), "It subtracts the largest score of the whole array. Each row has its own."),
        (np.maximum(largest, 0.0),
         "It subtracts 0 where all scores are negative, and their powers become 0."),
    ):
        powers = np.exp(seen - least)
        total = powers.sum(axis=-1, keepdims=True)
        yield powers / np.where(total > 0, total, 1.0), cause
        with np.errstate(invalid="ignore"):
            yield powers / total, cause
    clipped = np.where(mask, np.clip(scores, -500, 500), -np.inf)
    yield softmax_of(clipped), "Clipped scores become equal: subtract the largest one instead."
    for low in (-1e3, -1e4):
        filled = softmax_of(np.where(mask, scores, low))
        for found in (filled, filled * mask):
            yield found, (
                "Hidden scores are some number instead of -inf, and scores that may be read can be "
                "as low."
            )
    yield from overflow_mistakes(q, k, mask)


def all_weight_mistakes(known, q, k, v, mask):
    """What `known` and the common mistakes give, also with zeros instead of nan."""
    from_v = np.where(mask, q @ turned(k) / v.shape[-1] ** 0.5, -np.inf)
    found = [
        *known(q, k, mask),
        *weight_mistakes(q, k, mask),
        (softmax_of(from_v), "It takes d from v, but d is the length of q and of k."),
    ]
    yield from found
    yield from ((np.nan_to_num(p), cause) for p, cause in found)


def expect_attention(student, q, k, v, mask, of, because, known=weight_mistakes, fails=NO_FIT):
    """Compare the weights, then the means."""
    with during(of, because=fails):
        came = tuple(student.attention(q, k, v, mask))
    expect(len(came), 2, because="It does not return a pair.", of=of)
    o, p = reference(q, k, v, mask)
    mistakes = all_weight_mistakes(known, q, k, v, mask)
    expect(came[1], p, because=because, of=f"the weights of {of}", mistakes=mistakes)
    expect(came[0], o, because="The means are not p v.", of=f"the means of {of}")


@pytest.mark.question("q2", points=3, core=True, hint=(
    "The last two axes are those of letters and numbers; all others stand in front."
))
def test_stacks(student, rng):
    """stacks, shared keys; other numbers of keys than of queries"""
    because = "The weights are not the softmax of q · k / √d over what may be read."
    for front, n, m in (((), 4, 4), ((), 2, 6), ((2,), 3, 5), ((2, 3), 4, 2), ((2, 2), 2, 2)):
        q, k, v = (random(rng, *front, *last) for last in ((n, 3), (m, 3), (m, 7)))
        for axes in (0, len(front)):
            mask = random_mask(rng, *front[:axes], n, m)
            mask[..., 0], mask[..., 0, -1] = True, False
            of = f"q of shape {q.shape}, k of shape {k.shape}, mask of shape {mask.shape}"
            expect_attention(student, q, k, v, mask, of, because)
    because = "The axes in front do not broadcast."
    for shapes in (
        [(3, 2, 2), (1, 4, 2), (1, 4, 3), (2, 4)],
        [(2, 3, 2, 2), (4, 2), (3, 4, 1), (2, 1, 2, 4)],
    ):
        q, k, v = (random(rng, *shape) for shape in shapes[:3])
        mask = random_mask(rng, *shapes[3])
        mask[..., 0] = True
        of = f"q of shape {q.shape}, k {k.shape}, v {v.shape}, mask {mask.shape}"
        expect_attention(student, q, k, v, mask, of, because, fails=because)


@pytest.mark.question("q2", points=0.5, hint="Hidden scores are -inf before the softmax.")
def test_a_causal_mask(student, rng):
    """one text and one head"""
    because = "The weights are not the softmax of q · k / √d over what may be read."
    for n, d, c in ((3, 2, 2), (4, 4, 4), (1, 3, 2)):
        q, k, v = random(rng, n, d), random(rng, n, d), random(rng, n, c)
        expect_attention(student, q, k, v, np.tri(n) > 0, f"n={n}, d={d}", because)


@pytest.mark.question("q2", points=1, hint="The weights of a letter that may read nothing are 0.")
def test_nothing_to_read(student, rng):
    """letters that may read nothing, in a stack"""
    q, k, v = random(rng, 2, 3, 2), random(rng, 2, 4, 2), random(rng, 2, 4, 5)
    mask = random_mask(rng, 2, 3, 4)
    mask[0, 1], mask[1, 2], mask[0, 0] = False, False, True
    because = "The weights are wrong where some letters may read nothing."
    expect_attention(student, q, k, v, mask, "a stack of two", because)
    nothing = np.zeros((3, 4)) > 0
    of = "a mask that hides everything"
    expect_attention(student, q[0] - 5, k[0], v[0], nothing, of, because)


@pytest.mark.question("q2", points=0.5, corner=True, hint=(
    "Subtract the largest score of a row that may be read. Arguments stay as they are (rule 2)."
))
def test_large_scores(student, rng):
    """scores of ten thousand, also hidden ones, and negative ones; arguments that stay"""
    q, k = np.zeros((3, 4)), 2 * np.eye(4)  # the scores are q
    q[0, :2], q[1, :2], q[2] = (1000, 999), (10, 9), (-9999, -10000, -10000, -10000)
    mask = np.tile([True, True, False, False], (3, 1))
    because = "Large scores overflow, or very negative ones all become 0."
    of = "one row of scores near 1000, one near 10, and one near -10,000"
    expect_attention(student, q, k, random(rng, 4, 2), mask, of, because, large_mistakes)
    q, k, v = random(rng, 3, 2), random(rng, 4, 2), random(rng, 4, 2)
    mask = np.tri(3, 4) > 0
    because = "Large scores overflow, or very negative ones all become 0."
    for size in (1e4, -1e4):
        of = "scores of ten thousand"
        expect_attention(student, size * q, k, v, mask, of, because, overflow_mistakes)
    q, k = np.ones((2, 1)), np.array([[-9e3], [-9e3], [9e3]])
    mask = np.array([[True, True, False], [True, False, False]])
    because = "The largest score is one that may not be read, so all others become 0."
    of = "scores of -9,000, and a hidden one of 9,000"
    expect_attention(student, q, k, v[:3], mask, of, because, overflow_mistakes)
    expect_kept(student, "attention", random(rng, 2, 2), random(rng, 3, 2), random(rng, 3, 2), mask)


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=3, core=True, hint=(
    "Compare each cotangent with nudged, with more keys than queries. Which one is wrong?"
))
def test_stacks_and_masks(student, rng):
    """stacks, masks, oblong and square"""
    for front, n, m, d, c in (((2,), 3, 4, 2, 5), ((2, 3), 2, 2, 2, 2), ((), 4, 2, 3, 1)):
        shapes = [(*front, *last) for last in ((n, d), (m, d), (m, c))]
        for axes in ((), (front[0], *[1] * (len(front) - 1)) if front else ()):
            mask = random_mask(rng, *axes, n, m)
            mask[..., 0] = True
            of = f"with q {shapes[0]}, k {shapes[1]}, v {shapes[2]}, mask {mask.shape}"
            fails = "It fails where each text has a mask of its own." if axes else NO_FIT
            expect_rule(student, rng, shapes, mask, of=of, fails=fails)


@pytest.mark.question("q3", points=1.5, hint=(
    "What several heads or texts use gets the sum of their contributions, in its own shape."
))
def test_shared_keys(student, rng):
    """keys and values that several heads, or several texts, read"""
    for shapes in (
        [(4, 2, 3), (1, 3, 3), (1, 3, 2)],
        [(3, 2, 2), (1, 2, 2), (3, 2, 2)],
        [(2, 3, 2, 2), (3, 2, 2), (2, 1, 2, 4)],
        [(2, 2), (3, 2, 2), (3, 2, 1)],
        [(1, 2, 2), (1, 2, 2), (1, 2, 2)],
        [(2, 3, 2, 2), (1, 2, 2), (2, 3)],
    ):
        mask = np.tri(shapes[0][-2], shapes[1][-2]) > 0
        of = f"with q {shapes[0]}, k {shapes[1]}, v {shapes[2]}"
        expect_rule(student, rng, shapes, mask, of=of, fails=SOME_SHARED)


@pytest.mark.question("q3", points=0.5, corner=True, hint=(
    "Where nothing may be read, all cotangents are 0. Arguments stay as they are (rule 2)."
))
def test_nothing_to_read_has_no_gradient(student, rng):
    """letters that may read nothing; v alone has an axis in front; arguments that stay"""
    mask = np.array([[False] * 3, [True, False, True]])
    expect_rule(student, rng, [(2, 2, 2), (2, 3, 2), (2, 3, 2)], mask, of="in a stack of two")
    shapes = [(2, 2), (2, 2), (3, 2, 1)]
    of = f"with q {shapes[0]}, k {shapes[1]}, v {shapes[2]}"
    expect_rule(student, rng, shapes, np.tri(2) > 0, of=of, fails=SOME_SHARED)
    q, k, v, o_bar = random(rng, 2, 2), random(rng, 3, 2), random(rng, 3, 2), random(rng, 2, 2)
    expect_kept(student, "attention_vjp", q, k, v, mask, o_bar)
    q = 1e4 * np.array([[1.0, 1.0], [-1.0, -1.0]])
    k = np.array([[1.0, 0.0], [0.5, 0.5 + 1e-4], [2.0, 1.0]])  # two scores of -10,000 are close
    given = q, k, v, np.tri(2, 3) > 0, o_bar
    compare_bars(student, given, rule(*given), "with scores of 10,000 and of -10,000",
                 wrong="Large scores overflow, or become equal.")


# q4 ----------------------------------------------------------------------------------------------


def join(x):
    """[texts, heads, n, d] as [texts, n, size]."""
    return np.concatenate([x[:, head] for head in range(x.shape[1])], axis=-1)


def split(x, heads):
    """[texts, n, size] as [texts, heads, n, d]."""
    return np.stack(np.split(x, heads, axis=-1), axis=1)


def layer_rule(x, W, U, heads, y_bar):
    """The cotangents of x, W and U."""
    mask = np.tri(x.shape[1]) > 0
    q, k, v = (split(part, heads) for part in np.split(x @ W, 3, axis=-1))
    bars = rule(q, k, v, mask, split(y_bar @ U.T, heads))
    z_bar = np.concatenate([join(bar) for bar in bars], axis=-1)
    means = join(reference(q, k, v, mask)[0])
    sums = [sum(a.T @ b for a, b in zip(*pair)) for pair in ((x, z_bar), (means, y_bar))]
    return z_bar @ W.T, *sums


def layer_as(x, W, U, heads, y_bar, order=(0, 1, 2), scale=None, causal=True, row_sum=True,
             root=True, joined=join):
    """What the cotangents of x, W and U are made of, by a rule that may be wrong: z_bar has other
    parts than q, k and v in this `order` (None is left out), the scores another scale, there is no
    mask, no sum, no root, or the heads are `joined` in another way."""
    texts, n, size = x.shape
    mask = (np.tri(n) if causal else np.ones((n, n))) > 0
    q, k, v = (split(part, heads) for part in np.split(x @ W, 3, axis=-1))
    q = q * (1 if scale is None else scale)
    p = reference(q, k, v, mask)[1]
    found = bars_as(q, k, v, mask, split(y_bar @ U.T, heads), root, row_sum, p=p)
    bars = [joined(bar) for bar in found]
    bars[0] = bars[0] * (1 if scale is None else scale)
    z_bar = np.concatenate([bars[i] if i is not None else 0 * bars[0] for i in order], axis=-1)
    return z_bar @ W.T, x, z_bar, joined(p @ v), joined(v)


def layer_mistakes(name, x, W, U, heads, y_bar):
    """What known mistakes give for the cotangent of x, W or U, and their causes."""
    texts, given = x.shape[0], (x, W, U, heads, y_bar)

    def part(found, of=slice(None), share=1):
        x_bar, x, z_bar, means, _ = found
        pairs = (x, z_bar), (means, y_bar)
        sums = [np.einsum("tni,tnj->ij", a[of], b[of]) * share for a, b in pairs]
        return {"x": x_bar, "W": sums[0], "U": sums[1]}[name]

    for order in list(permutations(range(3)))[1:]:
        cause = "The columns of z_bar stand in another order than those of q, k and v."
        yield part(layer_as(*given, order=order)), cause
    for i, letter in enumerate("qkv"):
        alone = layer_as(*given, order=[j if i == j else None for j in range(3)])
        yield part(alone), f"x is used for q, k and v, and only its use in {letter} counts."
    for cause, how in {
        "The mask is forgotten.": {"causal": False},
        "The rule of the softmax lacks its sum over the row.": {"row_sum": False},
        "The cotangent of the scores is not divided by the root.": {"root": False},
        "The heads are joined by a reshape without its transpose.": {
            "joined": lambda bar: bar.reshape(x.shape)
        },
    }.items():
        yield part(layer_as(*given, **how)), cause
    if heads > 1:
        shape = x.shape[-1], heads, 3, -1  # the columns of a head stand together
        by_head = W.reshape(shape).swapaxes(1, 2).reshape(W.shape)
        found = part(layer_as(x, by_head, U, heads, y_bar))
        if name == "W":
            found = found.reshape(W.shape[0], 3, heads, -1).swapaxes(1, 2).reshape(W.shape)
        yield found, (
            "The columns of x @ W are taken head by head. First come those of q for all heads."
        )
        yield part(layer_as(x, W, U, 1, y_bar)), "All columns are treated as one head."
        root = layer_as(*given, scale=heads**-0.5)
        yield part(root), "The scores are divided by √size instead of the root of size / heads."
        _, _, z_bar, *rest = layer_as(*given)
        z_bar = z_bar * np.repeat([heads**-0.5, heads**-0.5, 1], x.shape[-1])
        yield part((z_bar @ W.T, x, z_bar, *rest)), (
            "The cotangents of the scores are divided by √size instead of the root of size / heads."
        )
    right = layer_as(*given)
    if name != "x" and texts > 1:
        yield part(right, of=slice(0, 1)), "Only the first text counts."
        yield part(right, share=1 / texts), "It takes the mean over the texts, not the sum."
    if name == "W":
        each = np.einsum("tni,tnj->tij", x, right[2])
        yield each, "The contributions of the texts are not summed."
    if name == "U":
        made = np.einsum("tni,tnj->ij", right[4], y_bar)
        yield made, "U_bar is made from the values instead of their means."
    if name == "x":
        turned_U = layer_as(x, W, U.T, heads, y_bar)
        yield part(turned_U), "y_bar passes through U instead of its transpose."


def expect_layer(student, rng, texts, n, size, heads):
    """Compare the three cotangents of a layer."""
    shapes = (texts, n, size), (size, 3 * size), (size, size), (texts, n, size)
    x, W, U, y_bar = (random(rng, *shape) for shape in shapes)
    of = f"with texts={texts}, n={n}, size={size}, heads={heads}"
    compare_layer(student, (x, W, U, heads, y_bar), of)


def compare_layer(student, given, of, wrong=""):
    """Compare each of the three cotangents with the rule."""
    x, W, U, heads, y_bar = given
    q, k, v = (split(part, heads) for part in np.split(x @ W, 3, axis=-1))
    mask, o_bar = np.tri(x.shape[1]) > 0, split(y_bar @ U.T, heads)
    p, p_bar = reference(q, k, v, mask)[1], o_bar @ turned(v)
    earlier = (
        ("q1", "softmax_vjp", (p, p_bar), softmax_rule(p, p_bar)),
        ("q2", "attention", (q, k, v, mask), reference(q, k, v, mask)),
        ("q3", "attention_vjp", (q, k, v, mask, o_bar), rule(q, k, v, mask, o_bar)),
    )
    fails = "The shapes do not fit for this number of texts and heads."
    with during(of, because=blamed(student, "layer_vjp", fails, *earlier)):
        came = tuple(student.layer_vjp(*given))
    expect(len(came), 3, because="It does not return three cotangents.", of=of)
    for name, one, right in zip("xWU", came, layer_rule(*given)):
        shaped = np.shape(one) == right.shape
        because = wrong or f"{name}_bar is wrong."
        because = because if shaped else f"{name}_bar does not have {name}'s shape."
        because = blamed(student, "layer_vjp", because, *earlier)
        mistakes = layer_mistakes(name, *given)
        expect(one, right, because=because, of=f"{name}_bar {of}", mistakes=mistakes)


@pytest.mark.question("q4", points=3.5, core=True, hint=(
    "Compare x_bar, W_bar and U_bar with nudged, one after the other."
))
def test_texts_and_heads(student, rng):
    """several texts and heads"""
    for shape in ((2, 3, 4, 2), (3, 4, 6, 3), (2, 2, 6, 2), (4, 4, 4, 2)):
        expect_layer(student, rng, *shape)


@pytest.mark.question("q4", points=1, hint="With one head, its size is the whole size.")
def test_one_head(student, rng):
    """one head"""
    for shape in ((2, 3, 4, 1), (3, 1, 2, 1)):
        expect_layer(student, rng, *shape)


@pytest.mark.question("q4", points=0.5, corner=True, hint=(
    "Heads have neighbouring columns, also of one text. Scores may be very large. Arguments stay."
))
def test_one_text(student, rng):
    """one text; large scores; arguments that stay"""
    for shape in ((1, 4, 6, 2), (1, 3, 4, 4)):
        expect_layer(student, rng, *shape)
    x = np.array([[[100.0, 0.0], [100.0, 1.0], [-100.0, 1.0]]])
    W, U = np.hstack([-np.eye(2), np.eye(2), np.eye(2)]), np.eye(2)
    given = x, W, U, 1, random(rng, 1, 3, 2)
    compare_layer(student, given, "with scores of 7,000 and of -7,000",
                  wrong="Large scores overflow: subtract the largest score of each row.")
    x, W, U, y_bar = (random(rng, *shape) for shape in ((2, 2, 4), (4, 12), (4, 4), (2, 2, 4)))
    expect_kept(student, "layer_vjp", x, W, U, 2, y_bar)
