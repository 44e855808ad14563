"""The visible checks of ps9: pytest functions over `student`, which answers for your code."""

import numpy as np
import pytest

from minigrad.course.grading import expect

THIRD = np.array([[0.25, 0.75], [0.5, 0.5]])
Q = np.array([[1.0, 0.0], [0.0, 2.0]])
K = np.array([[1.0, 1.0], [0.0, 1.0], [2.0, -1.0]])
V = np.array([[1.0], [2.0], [4.0]])
MASK = np.array([[True, False, False], [True, True, False]])
FORWARD = """
import numpy as np

def forward(q, k, v, mask):
    scores = np.where(mask, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1e30)
    powers = np.where(mask, np.exp(scores - scores.max(axis=-1, keepdims=True)), 0.0)
    return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300) @ v
"""


def nudged(f, inputs, which, z_bar, step=1e-6):
    """The cotangent of inputs[which], where z_bar is that of f(*inputs), by finite differences."""
    x_bar = np.zeros(inputs[which].shape)
    for place in np.ndindex(x_bar.shape):
        ends = []
        for change in (step, -step):
            moved = [x.copy() for x in inputs]
            moved[which][place] += change
            ends.append(f(*moved))
        x_bar[place] = np.sum(z_bar * (ends[0] - ends[1])) / (2 * step)
    return x_bar


def forward(q, k, v, mask):
    """The means of attention."""
    names = {}
    exec(FORWARD, names)
    return names["forward"](q, k, v, mask)


def arrays(*shapes):
    """Small numbers in these shapes, the same each time."""
    return [np.sin(3 * np.arange(1.0, np.prod(shape) + 1)).reshape(shape) for shape in shapes]


def expect_rule(student, q, k, v, mask, of):
    """Compare the three cotangents with finite differences."""
    o_bar = np.cos(np.arange(forward(q, k, v, mask).size)).reshape(forward(q, k, v, mask).shape)
    found = tuple(student.attention_vjp(q, k, v, mask, o_bar))
    for at, name in enumerate(("q_bar", "k_bar", "v_bar")):
        wanted = nudged(lambda *x: forward(*x, mask), [q, k, v], at, o_bar)
        expect(found[at], wanted, tolerance=1e-6, of=f"{name} {of}")


@pytest.mark.question("q1", points=0.5)
def test_a_matrix(student):
    """two rows"""
    p_bar = np.array([[1.0, 0.0], [0.0, 2.0]])
    expect(student.softmax_vjp(THIRD, p_bar), np.array([[0.1875, -0.1875], [-0.5, 0.5]]),
           "Each row subtracts a sum of its own, Σ p p_bar.", of="softmax_vjp(p, p_bar)")


@pytest.mark.question("q1", points=2, core=True)
def test_a_stack(student):
    """two matrices of three rows"""
    p = np.full((2, 3, 2), 0.5)
    p_bar = np.arange(12.0).reshape(2, 3, 2)
    wanted = np.tile([-0.25, 0.25], (2, 3, 1))
    expect(student.softmax_vjp(p, p_bar), wanted, "The sum runs along the last axis.",
           of="softmax_vjp(p, p_bar), p of shape (2, 3, 2)")


@pytest.mark.question("q1", points=0.5, corner=True)
def test_a_row_alone(student):
    """one axis, and a weight of 0"""
    p, p_bar = np.array([0.5, 0.5, 0.0]), np.array([1.0, 3.0, 100.0])
    expect(student.softmax_vjp(p, p_bar), np.array([-0.5, 0.5, 0.0]),
           of="softmax_vjp(p, p_bar), p of shape (3,)")


@pytest.mark.question("q2", points=0.5)
def test_a_causal_mask(student):
    """one text, one head"""
    p = np.exp([[0.0, 0.0], [2**0.5, 2**0.5]])
    p = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    expect(tuple(student.attention(Q, K, V, MASK)), (p @ V, p),
           "Scores that are hidden are -inf before the softmax.", of="attention(q, k, v, mask)")


@pytest.mark.question("q2", points=3, core=True)
def test_stacks(student):
    """two texts of different lengths, two heads, more keys than queries"""
    q, k, v = arrays((2, 2, 2, 4), (2, 2, 3, 4), (2, 2, 3, 1))
    mask = np.array([[True, True, True], [True, False, True]])[:, None, None, :] & (
        np.ones((2, 1)) > 0
    )
    o, p = student.attention(q, k, v, mask)
    because = "The scores are divided by √d, where d is the last axis of q."
    expect(o, forward(q, k, v, mask), because, of="o")
    expect(p, forward(q, k, np.broadcast_to(np.eye(3), (2, 2, 3, 3)), mask), of="p")


@pytest.mark.question("q2", points=1)
def test_nothing_to_read(student):
    """a letter that may read nothing"""
    mask = np.array([[False, False, False], [False, True, False]])
    p = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    expect(tuple(student.attention(Q, K, V, mask)), (p @ V, p),
           "A row without letters has the weights 0, not 1 / m, and not nan.",
           of="attention(q, k, v, mask), where the first letter may read nothing")


@pytest.mark.question("q2", points=0.5, corner=True)
def test_large_scores(student):
    """scores of some thousands"""
    o, _ = student.attention(5000 * Q, K, V, np.ones((2, 3)) > 0)
    expect(o, np.array([[4.0], [1.5]]), "e to the power 5,000 is inf.", of="o of 5000 q")


@pytest.mark.question("q3", points=3, core=True)
def test_stacks_and_masks(student):
    """two heads, a mask"""
    expect_rule(student, *arrays((2, 3, 2), (2, 3, 2), (2, 3, 4)), np.tri(3) > 0,
                of="of two heads with a causal mask")


@pytest.mark.question("q3", points=1.5)
def test_shared_keys(student):
    """three heads that read the same keys and values"""
    q, k, v = arrays((3, 2, 2), (1, 2, 2), (1, 2, 1))
    expect_rule(student, q, k, v, np.tri(2) > 0, of="of three heads with the same keys")


@pytest.mark.question("q3", points=0.5, corner=True)
def test_nothing_to_read_has_no_gradient(student):
    """a letter that may read nothing"""
    mask = np.array([[False, False], [True, True]])
    expect_rule(student, *arrays((2, 2), (2, 2), (2, 3)), mask,
                of="where the first letter may read nothing")


LAYER = """
import numpy as np

def layer(x, W, U, heads):
    texts, n, size = x.shape
    q, k, v = (
        part.reshape(texts, n, heads, size // heads).transpose(0, 2, 1, 3)
        for part in np.split(x @ W, 3, axis=2)
    )
    s = np.where(np.tri(n) > 0, q @ k.transpose(0, 1, 3, 2) / np.sqrt(size // heads), -np.inf)
    p = np.exp(s - s.max(axis=3, keepdims=True))
    p = p / p.sum(axis=3, keepdims=True)
    return (p @ v).transpose(0, 2, 1, 3).reshape(texts, n, size) @ U
"""


def expect_layer(student, texts, n, size, heads):
    """Compare the cotangents of a layer with finite differences."""
    names = {}
    exec(LAYER, names)
    x, W, U, y_bar = arrays((texts, n, size), (size, 3 * size), (size, size), (texts, n, size))
    found = tuple(student.layer_vjp(x, W, U, heads, y_bar))
    for at, name in enumerate(("x_bar", "W_bar", "U_bar")):
        wanted = nudged(lambda *one: names["layer"](*one, heads), [x, W, U], at, y_bar)
        expect(found[at], wanted, tolerance=1e-6,
               of=f"{name}, texts={texts}, n={n}, size={size}, heads={heads}")


@pytest.mark.question("q4", points=3.5, core=True)
def test_texts_and_heads(student):
    """two texts, two heads"""
    expect_layer(student, 2, 3, 4, 2)


@pytest.mark.question("q4", points=1)
def test_one_head(student):
    """one head"""
    expect_layer(student, 2, 2, 2, 1)


@pytest.mark.question("q4", points=0.5, corner=True)
def test_one_text(student):
    """one text, and a head for each column"""
    expect_layer(student, 1, 3, 2, 2)
