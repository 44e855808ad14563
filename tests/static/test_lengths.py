"""Lengths that are known only when they are fed: a formula gives what it gives of known lengths."""

import itertools

import numpy as np
import pytest
from engines import Dynamic, Static, everything
from saying import raises_saying

import minigrad as mg

RNG = np.random.default_rng(0)
WAYS = {
    "default": {},
    "debug": {"debug": True},
    "plain": {"optimize": False, "backend": "numpy"},
    "unoptimised": {"optimize": False},
    "fast": {"rules": "fast"},
}


def arrays_of(*shapes):
    return [RNG.uniform(0.5, 1.5, size=shape) for shape in shapes]


def assert_equal(row, arrays, shapes, **options):
    """Placeholders of `shapes` have the values and derivatives, in both orders, of Tensors."""
    expected, _ = everything(Dynamic(), row, arrays)
    found, _ = everything(Static(**options), row, arrays, shapes=shapes)
    for a, b in zip(found, expected, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def unknown(arrays):
    return [(None,) * a.ndim for a in arrays]


# lengths fed as 1 ---------------------------------------------------------------------------------

PAIRS = [
    ((3, 4), (1, 4)),
    ((3, 1), (1, 4)),
    ((1, 1), (3, 4)),
    ((1,), (3, 4)),
    ((2, 1, 4), (3, 1)),
    ((3, 4), (3, 4)),
    ((1, 1), (1, 1)),
    ((), (1, 4)),
    ((0, 4), (1, 4)),
    ((1, 0), (0, 1)),
    ((1,), (0,)),
]
FORMULAS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / (y * y + 1.0),
    "power": lambda x, y: x**y,
    "maximum": lambda x, y: mg.maximum(x * 2.0, y),
    "where": lambda x, y: mg.where(x < y, x, y * x),
    "through a product": lambda x, y: mg.tanh(x * y + x) * y,
    "of one value": lambda x, y: (x * x + x) * y,
    "of a mean": lambda x, y: x - mg.mean(y, keepdims=True),
    "through a constant": lambda x, y: x * y + np.float64(2.0),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("formula", FORMULAS)
def test_a_length_fed_as_1_is_repeated(formula, way):
    for shapes in PAIRS:
        arrays = arrays_of(*shapes)
        if formula == "of a mean" and 0 in shapes[1]:
            continue
        assert_equal(FORMULAS[formula], arrays, unknown(arrays), **WAYS[way])


PRODUCTS = {
    "x @ y": [
        ((1, 2, 3), (5, 3, 4)),
        ((7, 1, 2, 3), (5, 3, 4)),
        ((6, 1, 1, 3), (1, 4, 3, 2)),
        ((1, 3), (3, 2)),
        ((3,), (1, 3, 2)),
    ],
    "bij,bjk->bik": [((1, 2, 3), (4, 3, 2)), ((4, 2, 1), (4, 3, 2)), ((1, 2, 3), (1, 3, 2))],
    "abi,abi->ab": [((1, 2, 3), (4, 1, 3)), ((4, 1, 1), (1, 2, 3))],
    "bij,bjk->ik": [((1, 2, 3), (4, 3, 2))],
    "...i,...i->...": [((1, 3), (4, 3)), ((3,), (1, 3)), ((2, 1, 3), (1, 4, 3))],
    "ij,ij->": [((1, 3), (4, 3)), ((4, 1), (1, 3))],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("product", PRODUCTS)
def test_a_stack_of_one_is_repeated(product, way):
    for shapes in PRODUCTS[product]:
        arrays = arrays_of(*shapes)

        def multiply(x, y):
            return x @ y if product == "x @ y" else mg.einsum(product, x, y)

        assert_equal(multiply, arrays, unknown(arrays), **WAYS[way])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rows", [0, 1, 2, 5])
def test_one_graph_takes_batches_of_any_size(rows, way):
    w, b, centre = arrays_of((4, 3), (3,), (5, 3))
    with mg.Graph() as graph:
        x, y = mg.placeholder("x", (None, 4)), mg.placeholder("y", (None, 3))
        logits = x @ w + b
        results = {
            "y": mg.softmax(logits - y),
            "centred": x - mg.mean(x, 1, keepdims=True),
            "slopes": mg.gradients(mg.sum(mg.tanh(logits - y) ** 2), [x, y]),
        }
    session = mg.Session(graph, **WAYS[way])
    for known in ({rows, 5}, {rows}):
        targets = centre[: max(known)] if rows in (1, 5) else centre[:rows]
        found = session.run(results, {x: np.ones((rows, 4)), y: targets})
        assert [v.shape for v in found["slopes"]] == [(rows, 4), targets.shape]
        tensors = [mg.tensor(a, requires_grad=True) for a in (np.ones((rows, 4)), targets)]
        loss = mg.sum(mg.tanh(tensors[0] @ w + b - tensors[1]) ** 2)
        for a, slope in zip(found["slopes"], mg.gradients(loss, tensors), strict=True):
            np.testing.assert_allclose(a, slope.numpy(), rtol=1e-12, atol=1e-12)


def test_equal_lengths_add_no_sum_to_the_program():
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", (None, 4)), mg.Variable(np.ones((4, 3)))
        y = mg.placeholder("y", (None, 3))
        slopes = mg.gradients(mg.mse(mg.tanh(x @ w), y), [w])
    program = mg.Session(graph).compile(slopes, {x: np.ones((2, 4)), y: np.ones((2, 3))}).program
    assert not [n for n in program.nodes() if n.op.__name__ in ("SumLike", "EnsureShape")]
    ops = {n.op.__name__ for n in graph.nodes if n.order > x.order}
    assert "EnsureShape" not in ops


@pytest.mark.parametrize("repeat", [False, True])
def test_bodies_repeat_and_sum_by_the_lengths_of_the_run(repeat):
    def build(x, y):
        carry, _ = mg.scan(lambda c, t: (mg.tanh(c * 0.5 + t * y), None), x * y, np.ones(2))
        return mg.while_loop(lambda i, c: i < 2, lambda i, c: (i + 1, c * y), (0, carry))[1]

    arrays = arrays_of((1 if repeat else 3,), (3,))
    for options in WAYS.values():
        assert_equal(build, arrays, [(None,), (None,)], **options)


# joined and picked --------------------------------------------------------------------------------

PICKS = {
    "joined": (lambda x, y: mg.concatenate([x, y]), [((2, 3), (1, 3)), ((0, 3), (2, 3))]),
    "joined to itself": (lambda x, y: mg.concatenate([x, y * 2, x]), [((2, 3), (4, 3))]),
    "joined at the end": (lambda x, y: mg.concatenate([x, y], -1) ** 2, [((2, 3), (2, 1))]),
    "joined with a constant": (
        lambda x, y: mg.concatenate([x, np.ones((2, 3)), y]) ** 2,
        [((1, 3), (2, 3))],
    ),
    "stacked": (lambda x, y: mg.stack([x, y * y], 1), [((2, 3), (2, 3))]),
    "summed": (lambda x, y: mg.sum(mg.concatenate([x, y]), 0) * x[0], [((2, 3), (1, 3))]),
    "diagonal": (lambda x, y: mg.einsum("ii->i", x) * y, [((3, 3), (3,)), ((1, 1), (1,))]),
    "trace": (lambda x, y: mg.einsum("ii", x @ y), [((2, 2), (2, 2)), ((0, 0), (0, 0))]),
    "diagonal of a stack": (lambda x, y: mg.einsum("bii,b->b", x, y), [((4, 2, 2), (4,))]),
    "two diagonals": (lambda x, y: mg.einsum("iij,ijj->i", x, y), [((2, 2, 3), (2, 3, 3))]),
    "three equal letters": (lambda x, y: mg.einsum("iii->i", x) * y, [((2, 2, 2), (2,))]),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pick", PICKS)
def test_values_of_unknown_lengths_are_joined_and_picked(pick, way):
    f, cases = PICKS[pick]
    for shapes in cases:
        arrays = arrays_of(*shapes)
        assert_equal(f, arrays, unknown(arrays), **WAYS[way])


def test_saved_graphs_repeat_join_and_pick():
    x, y = arrays_of((1, 3), (4, 3))
    with mg.Graph() as graph:
        u, v = mg.placeholder("u", (None, None)), mg.placeholder("v", (None, 3))
        joined = mg.concatenate([u * v, mg.ensure_shape(u, (None, 3))])
        z = mg.sum(joined**2) + mg.mse(u, v) + mg.sum(mg.einsum("ii->i", u @ mg.transpose(u)))
        slopes = mg.gradients(z, [u, v])
    expected = mg.Session(graph).run(slopes, {u: x, v: y})
    found = mg.from_bytes(mg.to_bytes(slopes))(u=x, v=y)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


# what is refused ----------------------------------------------------------------------------------


def placeholders(*shapes):
    return [mg.placeholder(name, shape) for name, shape in zip("xyz", shapes, strict=False)]


def fed(f, shapes, *lengths):
    """Runs f of placeholders of `shapes` with what is fed to them."""

    def call():
        with mg.Graph() as graph:
            nodes = placeholders(*shapes)
            z = f(*nodes)
        return mg.Session(graph).run(z, dict(zip(nodes, map(np.ones, lengths))))

    return call


@pytest.mark.parametrize(
    "call, text",
    [
        (
            fed(lambda x, y: x + y, [(None,), (None,)], (2,), (3,)),
            r"add\(x: float64\[2\], y: float64\[3\]\): lengths 2 and 3 do not broadcast",
        ),
        (
            fed(lambda x, y: y * x, [(None,), (None,)], (2,), (3,)),
            r"mul\(y: float64\[3\], x: float64\[2\]\): lengths 2 and 3 do not broadcast",
        ),
        (
            fed(lambda y: mg.Variable(np.ones(3)) * mg.exp(y), [(None,)], (2,)),
            r"mul\(x: float64\[3\], y: float64\[2\]\): lengths 2 and 3 do not broadcast",
        ),
        (
            fed(lambda x: mg.Variable(np.ones(3)) * x, [(None,)], (2,)),
            r"mul\(operand 1: float64\[3\], x: float64\[2\]\): lengths 2 and 3",
        ),
        (
            fed(lambda x: mg.einsum("ii->i", x), [(None, None)], (1, 3)),
            r"a diagonal of x, whose axes \(0, 1\) have lengths 1 and 3",
        ),
        (
            fed(lambda x, y: mg.concatenate([x, y]), [(None, None)] * 2, (2, 1), (2, 3)),
            "differ outside axis 0",
        ),
        (fed(lambda x: x[np.ones(4, bool)], [(None,)]), "not all are known before x is fed"),
        (fed(lambda x: mg.max_pool2d(x, 2), [(1, None, None)]), "with known height and width"),
        (
            fed(lambda x: mg.ensure_shape(x, (None, 3)), [(None, None)], (2, 1)),
            r"x does not have the shape \[\?, 3\]",
        ),
        (
            fed(lambda x, y: mg.mse(x, y), [(None, None)] * 2, (3, 1), (1, 4)),
            "each entry of one operand would meet every entry of the other",
        ),
        (
            fed(
                lambda x, y: mg.scan(lambda c, t: (c * y, None), x, np.ones(2))[0],
                [(None,), (None,)],
                (1,),
                (3,),
            ),
            r"starts as float64\[1\], but the body returns float64\[3\]",
        ),
        (
            fed(lambda x, s: mg.gradients(x * 2, [x], [s]), [(None,), (None,)], (2,), (3,)),
            "does not broadcast|do not broadcast",
        ),
        (
            fed(
                lambda x: mg.gradients(TWICE(x), [x], [np.ones(3)]),
                [(None,)],
                (3,),
            ),
            "does not sum to",
        ),
    ],
)
def test_lengths_that_do_not_fit_are_told_by_their_names(call, text):
    with raises_saying(mg.MinigradError, text) as caught:
        call()
    assert "\n  at   test_lengths.py" in str(caught.value) and "\n  try  " in str(caught.value)


TWICE = mg.custom_op(
    lambda x: x * 2,
    vjp=lambda x, z, z_bar: (z_bar[:2],),
    infer=lambda x: (x.shape, x.dtype),
    name="twice",
)


def test_ensure_shape_tells_the_graph_what_is_fed():
    x = mg.tensor(np.ones((2, 3)), requires_grad=True)
    assert mg.ensure_shape(x, (None, 3)) is x
    with pytest.raises(mg.ShapeError, match=r"does not have the shape \[\?, 4\]"):
        mg.ensure_shape(x, (None, 4))
    with mg.Graph():
        (x,) = placeholders((None, None))
        assert mg.ensure_shape(x, (None, 3)).shape == (None, 3)
        with pytest.raises(mg.ShapeError, match="does not have the shape"):
            mg.ensure_shape(x, (3,))


@pytest.mark.parametrize("shapes", [*itertools.product([(3,), (None,), (1,)], repeat=2)])
@pytest.mark.parametrize("lengths", [*itertools.product([(3,), (1,)], repeat=2)])
def test_seeds_and_tangents_may_be_of_unknown_lengths(shapes, lengths):
    if any(None not in s and s != n for s, n in zip(shapes, lengths, strict=True)):
        return
    with mg.Graph() as graph:
        x, y = placeholders(*shapes)
        z = x * y + y
        seeds = [mg.placeholder(None, v.shape) for v in (z, x, y)]
        slopes = mg.gradients([z], [x, y], seeds[:1])
        (z_dot,) = mg.forward_gradients([z], [x, y], seeds[1:])
    values = [np.full(n, v) for n, v in zip(lengths, (2.0, 3.0), strict=True)]
    whole = np.broadcast_shapes(*lengths)
    given = {x: values[0], y: values[1], seeds[0]: np.ones(whole)}
    given |= {seeds[1]: np.ones(lengths[0]), seeds[2]: np.ones(lengths[1])}
    *slopes, z_dot = mg.Session(graph).run([*slopes, z_dot], given)
    for slope, n, rate in zip(slopes, lengths, (3.0, 3.0), strict=True):
        np.testing.assert_array_equal(slope, np.full(n, rate * whole[0] / n[0]))
    np.testing.assert_array_equal(z_dot, np.full(whole, 6.0))
