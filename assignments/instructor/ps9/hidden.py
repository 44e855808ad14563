"""The checks that grade ps9: what the visible ones ask, of other shapes and other numbers."""

import numpy as np
import pytest

from minigrad.course.grading import expect

KEPT = """
import numpy as np

def kept(rule, *given):
    before = [np.array(x) for x in given]
    first = [np.array(x) for x in rule(*given)]
    second = [np.array(x) for x in rule(*given)]
    same = all(np.array_equal(a, b) for a, b in zip(before, given))
    return same, all(np.array_equal(a, b) for a, b in zip(first, second))
"""


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


def expect_rule(student, rng, shapes, mask, of):
    """Compare the cotangents with the rule, and the rule with a difference quotient."""
    q, k, v = (random(rng, *shape) for shape in shapes)
    o_bar = random(rng, *reference(q, k, v, mask)[0].shape)
    wanted = rule(q, k, v, mask, o_bar)
    ends = by_difference(lambda *x: reference(*x, mask)[0], (q, k, v), wanted, o_bar, rng)
    assert abs(ends[0] - ends[1]) < 1e-5 * (1 + abs(ends[0])), "the course's rule is wrong"
    expect(tuple(student.attention_vjp(q, k, v, mask, o_bar)), wanted, of=of)


# q1 ----------------------------------------------------------------------------------------------


def weights(rng, *shape):
    """Weights that sum to 1 along the last axis."""
    p = np.exp(random(rng, *shape))
    return p / p.sum(axis=-1, keepdims=True)


def softmax_rule(p, p_bar):
    """The cotangent of the scores, by the Jacobian of each row."""
    jacobian = p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])
    return (jacobian @ p_bar[..., None])[..., 0]


@pytest.mark.question("q1", points=1, hint=(
    "Compare one row with nudged. Each score occurs in every weight of its row."
))
def test_a_matrix(student, rng):
    """matrices, square ones too"""
    for shape in ((2, 3), (4, 4), (3, 1)):
        p, p_bar = weights(rng, *shape), random(rng, *shape)
        expect(student.softmax_vjp(p, p_bar), softmax_rule(p, p_bar), of=f"p of shape {shape}")


@pytest.mark.question("q1", points=1, hint="The softmax runs along the last axis of a stack, too.")
def test_a_stack(student, rng):
    """stacks, cubes too"""
    for shape in ((2, 3, 4), (3, 3, 3), (2, 2, 2, 2), (2, 1, 3, 5)):
        p, p_bar = weights(rng, *shape), random(rng, *shape)
        expect(student.softmax_vjp(p, p_bar), softmax_rule(p, p_bar), of=f"p of shape {shape}")


@pytest.mark.question("q1", points=1, hint="A row alone has one axis. A weight may be 0.")
def test_a_row_alone(student, rng):
    """one axis; weights of 0"""
    p, p_bar = weights(rng, 5), random(rng, 5)
    expect(student.softmax_vjp(p, p_bar), softmax_rule(p, p_bar), of="p of shape (5,)")
    p = np.array([0.0, 1.0, 0.0])
    expect(student.softmax_vjp(p, p_bar[:3]), np.zeros(3), of="p = [0, 1, 0]")


# q2 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q2", points=1, hint=(
    "Hidden scores are -inf before the softmax, and the other weights of a row sum to 1."
))
def test_a_causal_mask(student, rng):
    """one text and one head"""
    for n, d, c in ((3, 2, 2), (4, 4, 4), (1, 3, 2)):
        q, k, v = random(rng, n, d), random(rng, n, d), random(rng, n, c)
        mask = np.tri(n) > 0
        found, wanted = student.attention(q, k, v, mask), reference(q, k, v, mask)
        expect(tuple(found), wanted, of=f"n={n}, d={d}")


@pytest.mark.question("q2", points=2, hint=(
    "Exchange only the last two axes of k. d is the last axis of q; the mask may have fewer axes, "
    "and there may be more keys than queries, or fewer."
))
def test_stacks(student, rng):
    """stacks; other numbers of keys than of queries"""
    for front, n, m in (((2,), 3, 5), ((2, 3), 4, 2), ((2, 2), 2, 2), ((), 2, 6)):
        q, k, v = (random(rng, *front, *last) for last in ((n, 3), (m, 3), (m, 2)))
        for axes in (0, len(front)):
            mask = random_mask(rng, *front[:axes], n, m)
            mask[..., 0] = True
            expect(tuple(student.attention(q, k, v, mask)), reference(q, k, v, mask),
                   of=f"q of shape {q.shape}, k of shape {k.shape}, mask of shape {mask.shape}")


@pytest.mark.question("q2", points=1, hint=(
    "For a letter that may read nothing, no number is the largest score. Its weights are 0."
))
def test_nothing_to_read(student, rng):
    """letters that may read nothing, in a stack"""
    q, k, v = random(rng, 2, 3, 2), random(rng, 2, 4, 2), random(rng, 2, 4, 3)
    mask = random_mask(rng, 2, 3, 4)
    mask[0, 1], mask[1, 2], mask[0, 0] = False, False, True
    expect(tuple(student.attention(q, k, v, mask)), reference(q, k, v, mask), of="a stack of two")
    nothing = np.zeros((3, 4)) > 0
    o, p = student.attention(q[0] - 5, k[0], v[0], nothing)
    expect((o, p), (np.zeros((3, 3)), np.zeros((3, 4))), of="nobody may read anything")


@pytest.mark.question("q2", points=1, hint=(
    "Subtract the largest score that may be read: hidden ones may be larger. Scores may be very "
    "negative, too."
))
def test_large_scores(student, rng):
    """scores of ten thousand, also hidden ones, and negative ones"""
    q, k, v = random(rng, 3, 2), random(rng, 4, 2), random(rng, 4, 2)
    mask = np.tri(3, 4) > 0
    for size in (1e4, -1e4):
        expect(tuple(student.attention(size * q, k, v, mask)), reference(size * q, k, v, mask),
               of=f"{size} q")
    q, k = np.ones((2, 1)), np.array([[-9e3], [-9e3], [9e3]])
    mask = np.array([[True, True, False], [True, False, False]])
    p = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    expect(tuple(student.attention(q, k, v[:3], mask)), (p @ v[:3], p),
           of="scores of -9,000, and a hidden one of 9,000")


# q3 ----------------------------------------------------------------------------------------------


@pytest.mark.question("q3", points=2, hint=(
    "Compare each cotangent with nudged, with more keys than queries. Which one is wrong?"
))
def test_stacks_and_masks(student, rng):
    """stacks, masks, oblong and square"""
    for front, n, m, d, c in (((2,), 3, 4, 2, 5), ((2, 3), 2, 2, 2, 2), ((), 4, 2, 3, 1)):
        shapes = [(*front, *last) for last in ((n, d), (m, d), (m, c))]
        mask = random_mask(rng, n, m)
        mask[:, 0] = True
        of = f"of q {shapes[0]}, k {shapes[1]}, v {shapes[2]}"
        expect_rule(student, rng, shapes, mask, of=of)


@pytest.mark.question("q3", points=2, hint=(
    "What several heads or texts use gets the sum of their contributions, in its own shape. Keys "
    "may be shared where values are not, and q may be shared, too."
))
def test_shared_keys(student, rng):
    """keys and values that several heads, or several texts, read"""
    for shapes in (
        [(4, 2, 3), (1, 3, 3), (1, 3, 2)],
        [(3, 2, 2), (1, 2, 2), (3, 2, 2)],
        [(2, 3, 2, 2), (3, 2, 2), (2, 1, 2, 4)],
        [(2, 2), (3, 2, 2), (3, 2, 1)],
        [(1, 2, 2), (1, 2, 2), (1, 2, 2)],
    ):
        mask = np.tri(shapes[0][-2], shapes[1][-2]) > 0
        of = f"of q {shapes[0]}, k {shapes[1]}, v {shapes[2]}"
        expect_rule(student, rng, shapes, mask, of=of)


@pytest.mark.question("q3", points=1, hint=(
    "Where nothing may be read, all cotangents are 0, not nan. What comes in stays as it is, and "
    "scores may be very large."
))
def test_nothing_to_read_has_no_gradient(student, rng):
    """letters that may read nothing; arguments that stay"""
    mask = np.array([[False] * 3, [True, False, True]])
    expect_rule(student, rng, [(2, 2, 2), (2, 3, 2), (2, 3, 2)], mask, of="of a stack of two")
    q, k, v, o_bar = random(rng, 2, 2), random(rng, 3, 2), random(rng, 3, 2), random(rng, 2, 2)
    found = student.define(KEPT).kept(student.attention_vjp, q, k, v, mask, o_bar)
    expect(tuple(found), (True, True),
           of="whether the arguments are as before, and a second call gives the same")
    q = 1e4 * np.array([[1.0, 1.0], [-1.0, -1.0]])
    k = np.array([[1.0, 0.0], [0.5, 0.5], [2.0, 1.0]])
    wanted = rule(q, k, v, np.tri(2, 3) > 0, o_bar)
    expect(tuple(student.attention_vjp(q, k, v, np.tri(2, 3) > 0, o_bar)), wanted,
           of="scores of 10,000 in one row, and of -10,000 in another one")


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


def expect_layer(student, rng, texts, n, size, heads):
    """Compare the three cotangents of a layer."""
    shapes = (texts, n, size), (size, 3 * size), (size, size), (texts, n, size)
    x, W, U, y_bar = (random(rng, *shape) for shape in shapes)
    expect(tuple(student.layer_vjp(x, W, U, heads, y_bar)), layer_rule(x, W, U, heads, y_bar),
           of=f"texts={texts}, n={n}, size={size}, heads={heads}")


@pytest.mark.question("q4", points=3, hint=(
    "Compare x_bar, W_bar and U_bar with nudged, one after the other. x is used for q, for k and "
    "for v; W and U are used by all letters of all texts."
))
def test_texts_and_heads(student, rng):
    """several texts and heads"""
    for shape in ((2, 3, 4, 2), (3, 4, 6, 3), (2, 2, 6, 2), (4, 4, 4, 2)):
        expect_layer(student, rng, *shape)


@pytest.mark.question("q4", points=1, hint=(
    "Scores are divided by the root of size / heads, and they may be very large."
))
def test_one_head(student, rng):
    """one head"""
    for shape in ((2, 3, 4, 1), (3, 1, 2, 1)):
        expect_layer(student, rng, *shape)
    x = np.array([[[100.0, 0.0], [100.0, 1.0], [-100.0, 1.0]]])
    W, U = np.hstack([-np.eye(2), np.eye(2), np.eye(2)]), np.eye(2)
    y_bar = random(rng, 1, 3, 2)
    expect(tuple(student.layer_vjp(x, W, U, 1, y_bar)), layer_rule(x, W, U, 1, y_bar),
           of="scores of 7,000 and of -7,000")


@pytest.mark.question("q4", points=1, hint="Heads have neighbouring columns, also of one text.")
def test_one_text(student, rng):
    """one text"""
    for shape in ((1, 4, 6, 2), (1, 3, 4, 4)):
        expect_layer(student, rng, *shape)
