"""Choices and loops: one program on arrays, Tensors and Nodes, and its derivatives."""

import collections
import contextlib
import math
import pickle

import numpy as np
import pytest
from engines import Dynamic, Static, everything
from saying import raises_saying

import minigrad as mg
from minigrad.core.op import bind
from minigrad.static.control import Fn
from minigrad.static.control.bundle import Item

RNG = np.random.default_rng(0)


def session_of(node):
    return mg.Session(node.graph)


def graph_if(static):
    """An open graph, in which numbers become nodes, or nothing."""
    return mg.Graph() if static else contextlib.nullcontext()


# programs that run on every engine ---------------------------------------------------------------


def power_by_loop(x):
    return mg.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * x), (0, x * 0 + 1))[1]


def repeated_square(x):
    return mg.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * x), (0, x))[1]


def hidden_layer_again_and_again(w, x):
    return mg.while_loop(
        lambda carry: carry[0] < 4, lambda carry: (carry[0] + 1, mg.tanh(w @ carry[1] + x)), (0, x)
    )[1]


def until_large(x, step):
    return mg.while_loop(
        lambda y: mg.sum(y) < 20 * mg.sum(step), lambda y: y * 1.5 + step, mg.abs(x)
    )


def rnn(w, u, xs):
    def step(h, x):
        h = mg.tanh(h @ w + x @ u)
        return h, mg.sum(h * h)

    h, losses = mg.scan(step, mg.sum(xs[0]) * np.ones(w.shape[0]) * 0.1, xs)
    return mg.sum(losses) + mg.sum(h)


def running_product_from_behind(xs):
    return mg.scan(lambda c, x: (c * x, c * x + x), xs[0] * 0 + 1.0, xs, reverse=True)[1]


def each_alone(xs, y):
    return mg.scan(lambda _, x: (_, mg.sin(x) * y), (), xs)[1]


def counted(x):
    return mg.scan(lambda c, _: (c * x + 1.0, None), x, None, length=4)[0]


def swapped(x, y):
    def body(i, a, b):
        return i + 1, b * 1.5, a

    i, a, b = mg.while_loop(lambda i, a, b: i < 5, body, (0, x, y))
    return a * a * b


def kept_as_it_is(x, y):
    i, a, b = mg.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a, b * a), (0, x, y))
    return a * b


def dict_of_carries(x, y):
    def body(carry):
        return {"b": carry["b"] + carry["a"], "a": carry["a"] * y, "n": carry["n"] + 1}

    out = mg.while_loop(lambda carry: carry["n"] < 3, body, {"a": x, "b": y, "n": 0})
    return out["a"] * out["b"]


def either(x, y):
    return mg.cond(mg.sum(x) > 0, lambda: mg.exp(x) * y, lambda: x / y)


def either_of_operands(x, y):
    pair = mg.cond(
        mg.sum(x) < 0,
        lambda p: (p["a"], p["b"] * p["a"]),
        lambda p: (p["b"] * 2.0, p["a"]),
        {"a": x, "b": y},
    )
    return pair[0] * pair[1]


def while_in_cond_in_while(x, y):
    def body(i, z):
        def inner():
            return mg.while_loop(lambda k, u: k < i, lambda k, u: (k + 1, u * y + x), (0, z))[1]

        return i + 1, mg.cond(i > 1, inner, lambda: mg.sin(z) * y)

    return mg.while_loop(lambda i, z: i < 4, body, (0, x))[1]


def scan_in_scan(w, xs):
    def row(c, x):
        inside, ys = mg.scan(lambda d, e: (mg.tanh(d * w + e), d * e), c, x)
        return inside, mg.sum(ys)

    last, sums = mg.scan(row, mg.sum(w), xs)
    return last * sums


def picked_by_a_counter(x):
    return mg.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x[i] + x[i]), (0, x[0]))[1]


def nothing_to_do(x):
    return mg.while_loop(lambda i, y: i < 0, lambda i, y: (i + 1, y * y), (0, x))[1] * x


def at_most(x):
    return mg.while_loop(lambda y: mg.sum(y) < 1e9, lambda y: y * x, x, maximum_iterations=3)


def normal(*shapes):
    return [RNG.normal(size=shape) for shape in shapes]


def positive(*shapes):
    return [RNG.uniform(0.5, 1.5, size=shape) for shape in shapes]


PROGRAMS = [
    (power_by_loop, positive(())),
    (power_by_loop, normal((3,))),
    (repeated_square, normal((2, 3))),
    (hidden_layer_again_and_again, normal((3, 3), (3,))),
    (until_large, positive((2,), (2,))),
    (rnn, normal((3, 3), (2, 3), (5, 2))),
    (running_product_from_behind, positive((4,))),
    (running_product_from_behind, positive((4, 2))),
    (each_alone, normal((5,), ())),
    (counted, normal((2,))),
    (swapped, normal((2,), (2,))),
    (kept_as_it_is, normal((), ())),
    (dict_of_carries, normal((2,), (2,))),
    (either, positive((2,), (2,))),
    (either, [-a for a in positive((2,), (2,))]),
    (either_of_operands, positive((2,), (2,))),
    (either_of_operands, [-a for a in positive((2,), (2,))]),
    (while_in_cond_in_while, positive((), ())),
    (while_in_cond_in_while, normal((2,), (2,))),
    (scan_in_scan, normal((), (3, 4))),
    (picked_by_a_counter, normal((3,))),
    (nothing_to_do, normal((2,))),
    (at_most, positive(())),
]
programs = pytest.mark.parametrize(
    "f, arrays", PROGRAMS, ids=[f"{f.__name__}-{i}" for i, (f, _) in enumerate(PROGRAMS)]
)


@programs
def test_arrays_tensors_and_nodes_agree(f, arrays):
    dynamic, (w, v) = everything(Dynamic(), f, arrays)
    static, _ = everything(Static(), f, arrays)
    np.testing.assert_array_equal(dynamic[0], static[0], strict=True)
    np.testing.assert_array_equal(f(*arrays), static[0])
    for a, b in zip(dynamic[1:], static[1:], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-13, strict=True)
    y_dot, x_bars = static[1], static[2 : 2 + len(arrays)]
    np.testing.assert_allclose(
        np.sum(w * y_dot), sum(np.sum(b * d) for b, d in zip(x_bars, v)), rtol=1e-11, atol=1e-13
    )


@programs
def test_derivatives_of_derivatives_in_every_order_of_modes(f, arrays):
    found = []
    for engine in (Dynamic(), Static()):
        xs = engine.inputs(arrays)
        y = mg.sum(f(*xs))
        ones = [np.ones(a.shape) for a in arrays]
        slope = sum(map(mg.sum, mg.gradients(y, xs, unconnected="zero")))
        along = mg.forward_gradients([y], xs, ones, unconnected="zero")[0]
        found.append(
            engine.numbers(
                [
                    *mg.gradients(slope, xs, unconnected="zero"),
                    *mg.gradients(along, xs, unconnected="zero"),
                    *mg.forward_gradients([slope, along], xs, ones, unconnected="zero"),
                ]
            )
        )
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12, strict=True)
    twice = len(arrays)
    for a, b in zip(found[1][:twice], found[1][twice : 2 * twice]):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12)


LENGTHS_NEEDED = hidden_layer_again_and_again, rnn, picked_by_a_counter


@pytest.mark.parametrize(
    "f, arrays",
    [
        (f, arrays)
        for f, arrays in PROGRAMS
        if f not in LENGTHS_NEEDED and all(a.ndim for a in arrays)
    ],
)
def test_lengths_may_be_unknown_while_the_graph_is_built(f, arrays):
    shapes = [(None, *a.shape[1:]) for a in arrays]
    known, _ = everything(Static(), f, arrays)
    unknown, _ = everything(Static(), f, arrays, shapes=shapes)
    for a, b in zip(known, unknown, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13, strict=True)


# results of their own ----------------------------------------------------------------------------

KEEPERS = {
    "cond": lambda x, y: mg.cond(mg.sum(x) < 99, lambda: x, lambda: y),
    "an operand of cond": lambda x, y: mg.cond(
        mg.sum(x) < 99, lambda x, y: x, lambda x, y: y, x, y
    ),
    "no turn": lambda x, y: mg.while_loop(lambda i, x: i < 0, lambda i, x: (i, y), (0, x))[1],
    "a carry that stays": lambda x, y: mg.while_loop(
        lambda i, x: i < 2, lambda i, x: (i + 1, x), (0, x)
    )[1],
    "a value from outside": lambda x, y: mg.while_loop(
        lambda i, y: i < 2, lambda i, y: (i + 1, x), (0, y)
    )[1],
    "a carry of scan": lambda x, y: mg.scan(lambda x, t: (x, t), x, y)[0],
}


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("keeper", KEEPERS.values(), ids=KEEPERS)
def test_a_result_that_is_a_value_from_before_has_a_gradient_of_its_own(keeper, layout):
    data = np.asarray(RNG.standard_normal((2, 3)), order=layout)

    def program(x):
        x = mg.sin(x) if layout == "C" else mg.transpose(mg.sin(mg.transpose(x)))
        z = keeper(x, mg.cos(x))
        return mg.gradients(mg.sum(2.0 * z) + mg.sum(3.0 * x), [z, x])

    with mg.Graph() as graph:
        wanted = mg.Session(graph).run(program(mg.constant(data)))
    for lane in (contextlib.nullcontext(), mg.plain()):
        with lane:
            found = program(mg.tensor(data, requires_grad=True))
        for z_bar, expected in zip(found, wanted, strict=True):
            assert np.array_equal(z_bar.numpy(), expected)
    assert wanted[0].ravel()[0] == 2 and wanted[1].ravel()[0] == 5


def test_two_results_that_are_one_value_have_gradients_of_their_own():
    def twins(i, x, y):
        return i + 1, (z := mg.sin(x)), z

    x = mg.tensor([1.0, 2.0], requires_grad=True)
    _, y, z = mg.while_loop(lambda i, x, y: i < 2, twins, (0, x, x))
    y_bar, z_bar = mg.gradients(mg.sum(2.0 * y) + mg.sum(3.0 * z), [y, z])
    assert y_bar.tolist() == [2, 2] and z_bar.tolist() == [3, 3]


# known answers -----------------------------------------------------------------------------------


def differentiated(mode, y, x):
    """dy/dx in reverse ("r") or forward ("f") mode."""
    if mode == "r":
        return mg.gradients(y, [x], unconnected="zero")[0]
    return mg.forward_gradients(y, [x], [1.0], unconnected="zero")[0]


@pytest.mark.parametrize("modes", ["rrrr", "ffff", "rrff", "ffrr", "rfrf", "frrf"])
def test_a_power_by_a_loop_and_its_derivatives_up_to_the_fourth(modes):
    with mg.Graph():
        x, n = mg.placeholder("x"), mg.placeholder("n", dtype=int)
        y = mg.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, 1.0))[1]
        derivatives = [y]
        for mode in modes:
            derivatives.append(differentiated(mode, derivatives[-1], x))
    session = session_of(y)
    for k in (0, 1, 4, 7):
        for value in (1.5, -2.0, 0.0):
            exact = [math.perm(k, d) * value ** max(k - d, 0) for d in range(5)]
            assert session.run(derivatives, {x: value, n: k}) == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("k", [0, 1, 3, 6, 10])
def test_repeated_squaring_is_a_power_of_two(k):
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda i, y: i < k, lambda i, y: (i + 1, y * y), (0, x))[1]
        (slope,) = mg.gradients(y, [x])
        (forward,) = mg.forward_gradients(y, [x], [1.0])
        (bend,) = mg.forward_gradients(slope, [x], [1.0], unconnected="zero")
    n, value = 2**k, 1.001
    exact = [value**n, n * value ** (n - 1), n * value ** (n - 1), n * (n - 1) * value ** (n - 2)]
    found = session_of(y).run([y, slope, forward, bend], {x: value})
    assert found == pytest.approx(exact, rel=1e-11)


def test_a_recurrent_net_against_difference_quotients():
    arrays = normal((4, 4), (2, 4), (7, 2))
    directions = normal((4, 4), (2, 4), (7, 2))
    static = Static()
    xs = static.inputs(arrays)
    loss = rnn(*xs)
    slopes = mg.gradients(loss, xs)
    bends = mg.forward_gradients(slopes, xs, directions)
    session, h = session_of(loss), 1e-5

    def at(t, fetch):
        return session.run(fetch, {x: a + t * d for x, a, d in zip(xs, arrays, directions)})

    slope = sum(np.sum(s * d) for s, d in zip(at(0, slopes), directions))
    assert slope == pytest.approx((at(h, loss) - at(-h, loss)) / (2 * h), rel=1e-7)
    for bend, ahead, behind in zip(at(0, bends), at(h, slopes), at(-h, slopes)):
        np.testing.assert_allclose(bend, (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-7)
    tensors = [mg.tensor(a, requires_grad=True) for a in arrays]
    expected = mg.forward_gradients(mg.gradients(rnn(*tensors), tensors), tensors, directions)
    for bend, tensor in zip(at(0, bends), expected):
        np.testing.assert_allclose(bend, tensor.data, rtol=1e-8, atol=1e-10)


def test_hessian_and_products_with_it_on_nodes():
    x, v = normal((3,), (3,))
    with mg.Graph() as graph:
        node = mg.constant(x)

        def f(x):
            return mg.sum(mg.scan(lambda c, e: (c * e + mg.sin(c), c), 0.5, x)[1])

        fetches = [mg.hessian(f)(node), mg.hvp(f, node, v), mg.grad(f)(node)]
    matrix, product, slope = mg.Session(graph).run(fetches)
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-12)
    np.testing.assert_allclose(matrix @ v, product, rtol=1e-12)
    np.testing.assert_allclose(matrix, mg.hessian(f)(mg.tensor(x)).data, rtol=1e-12)
    np.testing.assert_allclose(slope, mg.grad(f)(mg.tensor(x)).data, rtol=1e-12)


# structure ---------------------------------------------------------------------------------------

Pair = collections.namedtuple("Pair", "left right")


def nests(start):
    carry = {"a": (start, [start * 2.0]), "p": Pair(start, 1)}

    def body(carry, x):
        p = carry["p"]
        after = {"p": Pair(p.left + x, p.right + 1), "a": (p.left, [carry["a"][0]])}
        return after, Pair({"y": p.left}, [x * x])

    return mg.scan(body, carry, np.arange(3.0))


def test_nests_come_back_as_they_were_given():
    plain, stacked = nests(1.0)
    assert plain == {"a": (2.0, [1.0]), "p": Pair(4.0, 4)}
    assert list(plain) == ["a", "p"]
    assert stacked.left["y"].tolist() == [1, 1, 2] and stacked.right[0].tolist() == [0, 1, 4]
    tensors, _ = nests(mg.tensor(1.0))
    assert tensors["p"].left.item() == 4 and tensors["p"].right.item() == 4
    with mg.Graph():
        carry, ys = nests(mg.constant(1.0))
        carry, ys = mg.Session().run([carry, ys])
    assert carry == plain and carry["p"].right.dtype == int
    assert ys.left["y"].tolist() == [1, 1, 2] and ys.right[0].tolist() == [0, 1, 4]


@pytest.mark.parametrize("make", [np.asarray, mg.tensor])
def test_a_body_may_return_its_dict_in_another_order_in_every_iteration(make):
    def body(c, x):
        return c, {"a": x, "b": -x} if x > 0 else {"b": -x, "a": x}

    _, ys = mg.scan(body, 0.0, make([1.0, -2.0, 3.0]))
    assert ys["a"].tolist() == [1, -2, 3] and ys["b"].tolist() == [-1, 2, -3]


@pytest.mark.parametrize("make", [np.float64, mg.tensor, mg.constant])
def test_a_single_value_is_a_carry_too(make):
    with graph_if(make is mg.constant) as graph:
        start = make(2.0)
        last = mg.while_loop(lambda x: x < 100, lambda x: x * x, start)
        tuple_of_one = mg.while_loop(lambda c: c[0] < 100, lambda c: (c[0] * c[0],), (start,))
        if graph:
            last, tuple_of_one = mg.Session(graph).run([last, tuple_of_one])
    assert isinstance(tuple_of_one, tuple) and len(tuple_of_one) == 1
    assert float(last) == float(tuple_of_one[0]) == 256


def test_what_is_left_out_comes_back_as_none():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        (last, nothing), (none, ys) = (
            mg.scan(lambda c, _: (c * x, None), 1.0, None, length=3),
            mg.scan(lambda c, e: (c, e * x), (), np.arange(3.0)),
        )
    assert nothing is None and none == ()
    assert mg.Session(graph).run(last, {x: 2.0}) == 8
    assert mg.Session(graph).run(ys, {x: 2.0}).tolist() == [0, 2, 4]


@pytest.mark.parametrize("make", [np.asarray, mg.tensor, mg.constant])
@pytest.mark.parametrize("reverse", [False, True])
def test_no_trips_give_empty_stacks_of_the_right_kind(make, reverse):
    with graph_if(make is mg.constant) as graph:
        xs = make(np.zeros((0, 2), np.float32))
        c, ys = mg.scan(lambda c, x: (c + 1, (x * c, mg.sum(x) > 0)), np.int8(3), xs, reverse)
        if graph:
            c, ys = mg.Session(graph).run([c, ys])
    assert int(c) == 3 and c.dtype == np.int8
    assert [(y.shape, y.dtype) for y in ys] == [((0, 2), np.float32), ((0,), bool)]


def test_gradients_through_no_trips():
    with mg.Graph() as graph:
        xs, w = mg.placeholder("xs", shape=(None,)), mg.placeholder("w")
        last, ys = mg.scan(lambda c, x: (c * x * w, c * w), w, xs)
        y = last + mg.sum(ys)
        slopes = mg.gradients(y, [xs, w])
    found = mg.Session(graph).run([y, *slopes], {xs: [], w: 3.0})
    assert found[0] == 3 and found[1].shape == (0,) and found[2] == 1


@pytest.mark.parametrize("rows", [None, 0])
@pytest.mark.parametrize("pick", [lambda xs, i: xs[i], lambda xs, i: xs[..., i, :]])
def test_a_loop_over_no_rows_may_name_a_row(rows, pick):
    with mg.Graph() as graph:
        xs = mg.placeholder("xs", shape=(rows, 2))
        n = mg.constant(0) if rows == 0 else mg.placeholder("n", (), np.intp)
        _, total = mg.while_loop(
            lambda i, _: i < n,
            lambda i, total: (i + 1, total + mg.sum(pick(xs, i) ** 2)),
            (mg.constant(0), mg.constant(0.0)),
        )
        (slope,) = mg.gradients(total, [xs])
    for count in (rows,) if rows == 0 else (0, 3):
        given = {xs: np.full((count, 2), 3.0)} | ({} if rows == 0 else {n: count})
        value, found = mg.Session(graph).run([total, slope], given)
        assert value == 18 * count
        assert np.array_equal(found, np.full((count, 2), 6.0))


@pytest.mark.parametrize(
    ("shape", "index"), [((0,), [0]), ((2, 0, 3), (..., [0], slice(None))), ((2, 0), (1, [0, 0]))]
)
def test_what_an_array_picks_from_no_entries_is_refused_when_it_runs(shape, index):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=shape)
        picked = x[index]
    with pytest.raises(mg.ArgumentError, match="out of bounds"):
        mg.Session(graph).run(picked, {x: np.zeros(shape)})


# captured values ---------------------------------------------------------------------------------


def test_gradients_reach_what_a_body_takes_from_outside():
    with mg.Graph() as graph:
        x, w, c = mg.placeholder("x"), mg.Variable(3.0, name="w"), mg.constant(2.0)
        outside = x * w
        y = mg.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * outside + c), (0, w))[1]
        z = mg.cond(y > c, lambda: y * w, lambda: c)
        slopes = mg.gradients(z, [x, w, c, outside])
    x0 = 0.5
    tensors = [mg.tensor(v, requires_grad=True) for v in (x0, 3.0, 2.0)]
    a, b, d = tensors
    o = a * b
    expected = mg.gradients(((b * o + d) * o + d) * b, [*tensors, o])
    found = mg.Session(graph).run(slopes, {x: x0})
    assert found == pytest.approx([e.item() for e in expected], rel=1e-14)


def test_gradients_through_a_loop_may_be_computed_from_checkpoints():
    with mg.Graph() as graph:
        x = y = mg.placeholder("x")
        for _ in range(3):
            y = mg.sin(y * 1.5)
            y = mg.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, mg.tanh(y) * x), (0, y))[1]
        plain, again = mg.gradients(y, [x])[0], mg.gradients(y, [x], checkpoints="sqrt")[0]
    first, second = mg.Session(graph).run([plain, again], {x: 0.8})
    assert first == second != 0


def test_a_body_may_differentiate():
    def newton(a):
        def f(x):
            return x * x * x - a

        def body(x):
            if isinstance(x, mg.Node):
                value = f(x)
                return x - value / mg.gradients(value, [x])[0]
            return x - f(x) / mg.grad(f)(x)

        return mg.while_loop(lambda x: mg.abs(f(x)) > 1e-12, body, a)

    with mg.Graph() as graph:
        a = mg.placeholder("a")
        root = newton(a)
        (slope,) = mg.gradients(root, [a])
    assert mg.Session(graph).run([root, slope], {a: 8.0}) == pytest.approx([2, 1 / 12])
    assert newton(mg.tensor(8.0)).item() == pytest.approx(2)


def test_a_body_may_differentiate_for_a_value_from_outside():
    with mg.Graph() as graph:
        w = mg.placeholder("w")
        descent = mg.while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, y + mg.gradients(y * w * w, [w])[0]), (0, 1.0)
        )[1]
        with pytest.raises(mg.GradientError, match="no differentiable path connects"):
            mg.while_loop(lambda y: y < 9, lambda y: y + mg.gradients(y * y, [w])[0], 1.0)
    assert mg.Session(graph).run(descent, {w: 0.5}) == (1 + 2 * 0.5) ** 3


def test_only_the_branch_that_is_chosen_runs():
    calls = []
    seen = mg.custom_op(lambda x: calls.append(float(x)) or x, name="seen")
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = mg.cond(x > 0, lambda: seen(x), lambda: x * 2.0)
        endless = mg.cond(
            x > 0, lambda: x, lambda: mg.while_loop(lambda y: y < 0, lambda y: y * 1.0, x)
        )
    session = mg.Session(graph)
    calls.clear()
    assert session.run(y, {x: -1.0}) == -2 and calls == []
    assert session.run([y, endless], {x: 3.0}) == [3, 3] and calls == [3]


def test_what_leaves_a_body_of_bare_arrays_lies_row_by_row_too():
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(20, 30)))
    turned = [
        mg.while_loop(lambda i, h: i < 1, lambda i, h: (i + 1, h[::-1]), (0, x))[1],
        mg.cond(np.bool_(True), lambda h: h[::-1], lambda h: h, x),
    ]
    for h in turned:
        assert h.flags.c_contiguous and np.array_equal(h, x[::-1])


@pytest.mark.parametrize("put_off", [False, True], ids=["at once", "lazy"])
@pytest.mark.parametrize(
    "body",
    [
        lambda v: mg.cond(True, lambda x: x, lambda x: -x, v),
        lambda v: mg.cond(True, lambda x: {"a": x.T.T}, lambda x: {"a": x}, v)["a"],
        lambda v: mg.while_loop(lambda i, x: i < 1, lambda i, x: (i + 1, x), (0, v))[1],
        lambda v: mg.while_loop(lambda i, x: i < 0, lambda i, x: (i + 1, x), (0, v))[1],
        lambda v: mg.scan(lambda x, t: (x, t), v, np.zeros(2))[0],
    ],
    ids=["cond", "a nest from cond", "while", "no trip of while", "scan"],
)
def test_what_leaves_a_body_lies_row_by_row_as_in_a_graph(body, put_off):
    array = np.random.default_rng(3).normal(size=(91, 2))
    t = mg.tensor(array, requires_grad=True)
    with mg.lazy() if put_off else mg.enable_grad():
        z = body(t.T)
        assert z.array.flags.c_contiguous
        np.testing.assert_array_equal(z.array, array.T)
        mg.sum(z * z).backward()
    np.testing.assert_array_equal(t.grad.data, 2 * array)


@pytest.mark.parametrize(
    "loop",
    [
        lambda x: mg.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * x), (0, x))[1],
        lambda x: mg.scan(lambda h, t: (h * x, t), x, np.zeros(2))[0],
        lambda x: mg.cond(mg.sum(x) > 0, lambda h: h * h * h, lambda h: h, x),
    ],
    ids=["while", "scan", "cond"],
)
@pytest.mark.parametrize("rows", [2, 3])
def test_fed_lengths_are_known_after_a_loop_and_in_its_derivatives(loop, rows):
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None, 1))
        y = mg.logsumexp(loop(x), axis=-1)
        (slope,) = mg.gradients(y, [x], [np.ones(rows)])
        (bend,) = mg.gradients(slope, [x], [np.ones((rows, 1))])
    fed = np.linspace(1.0, 2.0, rows)[:, None]
    results = mg.Session(graph).run([y, slope, bend], {x: fed})
    for found, expected in zip(results, (fed[:, 0] ** 3, 3 * fed**2, 6 * fed)):
        np.testing.assert_allclose(found, expected)
    executable = mg.Session(graph).compile([y, slope], {x: fed})
    assert not any(None in n.shape for n in executable.program.fetches)


def test_the_predicate_of_a_tensor_is_looked_at_and_the_condition_gets_no_gradient():
    x = mg.tensor(2.0, requires_grad=True)
    y = mg.cond(x > 1, lambda a: a * a, lambda a: a, x)
    y.backward()
    assert x.grad.item() == 4
    with mg.Graph() as graph:
        bound = mg.placeholder("bound")
        z = mg.while_loop(lambda z: z < bound, lambda z: z * 2.0, 1.0)
        (slope,) = mg.gradients(z, [bound])
    assert mg.Session(graph).run([z, slope], {bound: 9.0}) == [16, 0]


def test_numbers_take_the_dtype_of_what_they_stand_for():
    with mg.Graph() as graph:
        x = mg.placeholder("x", dtype=np.float32)
        y = mg.cond(x > 0, lambda: x, lambda: 0)
        z = mg.while_loop(lambda i, z: i < 2, lambda i, z: (i + 1, 1), (0, x))[1]
        always = mg.while_loop(lambda z: True, lambda z: z + 1.0, x, maximum_iterations=4)
    assert y.dtype == z.dtype == np.float32
    assert mg.Session(graph).run([y, z, always], {x: -1.0}) == [0, 1, 3]


def test_a_loop_over_numbers_inside_an_open_graph_is_a_node():
    with mg.Graph() as graph:
        n = mg.placeholder("n", dtype=int)
        total = mg.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), (0, 0))[1]
    assert mg.Session(graph).run(total, {n: 5}) == 10
    with pytest.raises(mg.ArgumentError, match="the condition is the node"):
        mg.while_loop(lambda i: i < n, lambda i: i + 1, 0)


# the graph ---------------------------------------------------------------------------------------


def test_a_loop_is_one_op_whose_body_can_be_walked():
    with mg.Graph():
        x = mg.placeholder("x")
        y = mg.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, 1.0))[1]
    loop = y.inputs[0]
    assert repr(y).endswith("Item(%3): float64[]")
    assert repr(loop) == "%3 = While(%1, %2, x): (int64[], float64[])"
    body = loop.params["body"]
    assert isinstance(body, Fn) and isinstance(loop.params["condition"], Fn)
    assert [v.name for v in body.inputs] == ["i", "y", "x"]
    assert [repr(v.op) for v in body.nodes] == ["Constant", "Add", "Mul"]
    assert repr(body) == (
        "<body of while_loop: (i: int64[], y: float64[], "
        "x: float64[]) → (int64[], float64[]), 3 nodes>"
    )
    assert "test_control.py" in str(body.nodes[2].line)


def test_derived_bodies_keep_the_lines_of_the_body():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = mg.while_loop(lambda y: y < 9, lambda y: mg.exp(y) * x, x)  # the body
        mg.gradients(y, [x])
    (back,) = [n.params["body"] for n in graph.nodes if repr(n.op) == "Scan"]
    assert back.name == "pullback of body of while_loop"
    assert ["# the body" in str(n.line) for n in back.nodes if repr(n.op) == "Exp"] == [True]


def test_a_result_that_is_picked_twice_gets_both_cotangents():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = mg.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, x))[1]
        again = bind(Item, y.inputs[0], index=1)
        (slope,) = mg.gradients(y * again, [x])
    assert mg.Session(graph).run(slope, {x: 2.0}) == 8 * 2**7


def test_results_share_memory_with_nothing():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(2,))
        a, b = mg.while_loop(lambda a, b: mg.sum(a) < 0, lambda a, b: (b, a), (x, x))
        c = mg.cond(mg.sum(x) > -1, lambda: x, lambda: x)
    fed = np.zeros(2)
    results = mg.Session(graph).run([a, b, c], {x: fed})
    for i, result in enumerate(results):
        result += i + 1
    assert fed.tolist() == [0, 0] and [r[0] for r in results] == [1, 2, 3]


def test_ten_thousand_trips_and_a_body_of_five_thousand_nodes():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = mg.while_loop(lambda i, y: i < 10_000, lambda i, y: (i + 1, y * x), (0, 1.0))[1]
        (slope,) = mg.gradients(y, [x])
    assert mg.Session(graph).run([y, slope], {x: 1.0}) == [1, 10_000]

    def long(y):
        for _ in range(2_500):
            y = y * 1.0 + x
        return y

    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = mg.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, long(y)), (0, 0.0))[1]
        (slope,) = mg.gradients(y, [x])
    assert len(y.inputs[0].params["body"].nodes) > 5_000
    assert mg.Session(graph).run([y, slope], {x: 2.0}) == [10_000, 5_000]


def test_the_trips_of_the_forward_run_are_the_trips_of_the_backward_run():
    trips = []
    noisy = mg.custom_op(
        lambda i: trips.append(1) or i < 3, name="noisy", infer=lambda i: ((), bool)
    )
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = mg.while_loop(lambda i, y: noisy(i), lambda i, y: (i + 1, y * x), (0, 1.0))[1]
        (slope,) = mg.gradients(y, [x])
    trips.clear()
    assert mg.Session(graph).run(slope, {x: 2.0}) == 12
    assert len(trips) == 4  # once for each trip and once to stop: never on the way back


def test_a_draw_keyed_by_the_counter_is_the_same_on_the_way_back():
    def f(x):
        def body(i, y):
            return i + 1, y * x + mg.random_normal((2,), seed=3, key=i) * x

        return mg.sum(mg.while_loop(lambda i, y: i < 3, body, (0, np.zeros(2)))[1])

    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = f(x)
        (slope,) = mg.gradients(y, [x])
    tensor = mg.tensor(0.7, requires_grad=True)
    f(tensor).backward()
    found = mg.Session(graph).run([y, slope], {x: 0.7})
    assert found == pytest.approx([f(0.7).item(), tensor.grad.item()], rel=1e-13)


# errors ------------------------------------------------------------------------------------------


def loop(body, carry=0.0, condition=lambda c: True):
    return mg.while_loop(condition, body, carry, maximum_iterations=2)


def scanned(body, carry=0.0, xs=(1.0, 2.0), **options):
    return mg.scan(body, carry, np.asarray(xs), **options)


def stored():
    return mg.Variable(1.0, name="w")


DRIFTS = [
    (
        lambda x: loop(lambda c: {"n": c["n"] * 0.5}, {"n": x * 0 + 1}),
        mg.DtypeError,
        r"while_loop: carry\['n'\] starts as int64\[\], but the body returns float64\[\] for it",
    ),
    (
        lambda x: loop(lambda c: (c[0], np.ones(3) * c[1]), (x, 1.0)),
        mg.ShapeError,
        r"while_loop: carry\[1\] starts as float64\[\], but the body returns float64\[3\] for it",
    ),
    (
        lambda x: scanned(lambda c, e: (c * 0.5, e), x),
        mg.DtypeError,
        r"scan: carry starts as int64\[\], but the body returns float64\[\] for it",
    ),
    (
        lambda x: loop(lambda c: (c[0], c[1], x), (x, x)),
        mg.ArgumentError,
        r"the body returns \(·, ·, ·\) for the carry \(·, ·\)",
    ),
    (
        lambda x: scanned(lambda c, e: ({"a": c}, e), x),
        mg.ArgumentError,
        r"scan: the body returns \{'a': ·\} for the carry ·",
    ),
    (lambda x: scanned(lambda c, e: c + x, x), mg.ArgumentError, "not a pair"),
    (
        lambda x: loop(lambda c: c, x, lambda c: c + 1),
        mg.DtypeError,
        r"the condition is int64\[\], not one boolean",
    ),
    (
        lambda x: loop(lambda c: c, x, lambda c: np.ones(2) > c),
        mg.DtypeError,
        r"the condition is bool\[2\], not one boolean",
    ),
    (
        lambda x: mg.cond(x, lambda: 1.0, lambda: 2.0),
        mg.DtypeError,
        r"cond: the predicate is int64\[\], not one boolean",
    ),
    (lambda x: loop(lambda c: c, ()), mg.ArgumentError, "the carry holds no value"),
    (lambda x: scanned(lambda c, e: (c, e), x, 1.0), mg.ShapeError, "xs is a single number"),
    (
        lambda x: mg.scan(lambda c, e: (c, e), x, None),
        mg.ArgumentError,
        "the number of iterations is not known",
    ),
    (lambda x: scanned(lambda c, e: (c, e), x, length=3), mg.ShapeError, "lengths 2 and 3"),
    (
        lambda x: mg.scan(lambda c, e: (c, e), x, (np.ones(2), np.ones(3))),
        mg.ShapeError,
        "what is scanned has lengths 2 and 3",
    ),
    (
        lambda x: mg.while_loop(lambda c: True, lambda c: c, x, maximum_iterations=1.5),
        mg.ArgumentError,
        "maximum_iterations is 1.5",
    ),
    (lambda x: loop(lambda c: "text", x), mg.DtypeError, "str cannot become|is not made of"),
]


@pytest.mark.parametrize("make", [np.asarray, mg.tensor, mg.constant])
@pytest.mark.parametrize("call, kind, text", DRIFTS)
def test_what_does_not_fit_is_told_on_every_engine(make, call, kind, text):
    with graph_if(make is mg.constant):
        x = make(np.int64(1))
        with raises_saying(kind, text) as caught:
            call(x)
    assert "\n  at   test_control.py" in str(caught.value) and "\n  try  " in str(caught.value)


@pytest.mark.parametrize("make", [np.asarray, mg.tensor, mg.constant])
@pytest.mark.parametrize("given, returned", [(tuple, list), (list, tuple)])
def test_a_body_may_return_a_list_for_a_tuple(make, given, returned):
    with graph_if(make is mg.constant) as graph:
        n, x = mg.while_loop(
            lambda n, x: n < 3, lambda n, x: returned([n + 1, x * 2]), given([0, make(1.0)])
        )
        (x, _), _ = mg.scan(
            lambda c, e: (returned([c[0] + e, c[1]]), None), given([x, n]), np.ones(2)
        )
    assert float(mg.Session(graph).run(x) if graph else x) == 10


def in_a_body(statement):
    return lambda x: loop(lambda c: (statement(c, x), c)[1], x)


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (
            in_a_body(lambda c, x: mg.assign(stored.w, c)),
            mg.GraphError,
            "the body of while_loop holds Assign, which a body cannot contain",
        ),
        (in_a_body(lambda c, x: mg.random_normal((), seed=1)), mg.GraphError, "holds RunIndex"),
        (
            in_a_body(lambda c, x: mg.dropout(c, 0.5, seed=1)),
            mg.GraphError,
            "holds RunIndex.*\n.*pass key=",
        ),
        (in_a_body(lambda c, x: mg.Variable(1.0)), mg.GraphError, "holds Variable"),
        (in_a_body(lambda c, x: mg.placeholder("p")), mg.GraphError, "holds Placeholder"),
        (
            lambda x: mg.cond(x > 0, lambda: mg.assign(stored.w, x), lambda: x),
            mg.GraphError,
            "the then of cond holds Assign",
        ),
        (
            lambda x: mg.cond(x > 0, lambda: x, lambda: (x, x)),
            mg.ArgumentError,
            r"cond: then returns ·, but otherwise \(·, ·\)",
        ),
        (
            lambda x: mg.cond(x > 0, lambda: x, lambda: x * np.ones(2)),
            mg.ShapeError,
            r"cond: the result is float64\[\] from then, but float64\[2\] from otherwise",
        ),
        (
            lambda x: mg.cond(x > 0, lambda: {"a": x}, lambda: {"a": x > 1}),
            mg.ShapeError,
            r"cond: the result\['a'\] is float64\[\] from then, but bool\[\] from otherwise",
        ),
        (
            lambda x: loop(lambda c: c + 1 if c > 0 else c, x),
            mg.GraphError,
            "has no value until a Session runs it",
        ),
        (lambda x: loop(lambda c: c @ c, x), mg.ShapeError, "a product needs vectors or matrices"),
        (
            lambda x: loop(lambda c: c + mg.tensor(1.0, requires_grad=True), x),
            mg.GraphError,
            "where its derivative would end",
        ),
        (lambda x: leaked(x) + x, mg.GraphError, "has no value outside it"),
        (lambda x: x + leaked(x), mg.GraphError, "has no value outside it"),
        (
            lambda x: mg.gradients(
                mg.while_loop(lambda n, y: n < 9, lambda n, y: (n + 1, y * x), (counter(), x))[1],
                [counter.n],
            ),
            mg.GradientError,
            r"n is int64; only floats have derivatives",
        ),
    ],
)
def test_what_a_body_cannot_hold_is_told_when_it_is_built(call, kind, text):
    with mg.Graph():
        stored.w = stored()
        x = mg.placeholder("x")
        with raises_saying(kind, text) as caught:
            call(x)
    assert "\n  at   test_control.py" in str(caught.value) and "\n  try  " in str(caught.value)


def leaked(x):
    inside = []
    loop(lambda c: inside.append(c * x) or c, x)
    return inside[0]


def counter():
    counter.n = mg.placeholder("n", dtype=int)
    return counter.n


def test_an_error_in_a_trip_names_the_line_of_the_body_and_that_of_the_loop():
    with mg.Graph() as graph:
        labels = mg.placeholder("labels", shape=(None,), dtype=int)
        rows = np.zeros((1, 2))
        y = mg.while_loop(
            lambda i, y: i < 2,
            lambda i, y: (i + 1, mg.cross_entropy(rows, labels)),  # the line of the body
            (0, 0.0),
        )[1]
    with pytest.raises(mg.ArgumentError, match="labels range from 5 to 5") as caught:
        mg.Session(graph).run(y, {labels: [5]})
    assert "# the line of the body" in str(caught.value)
    assert "\n  in   test_control.py" in str(caught.value)
    assert "\n  at   test_control.py" in str(caught.value)


def test_lengths_that_drift_are_found_when_they_are_known():
    with mg.Graph() as graph:
        x, w = mg.placeholder("x", shape=(None,)), mg.placeholder("w", shape=(None,))
        y = mg.while_loop(lambda y: mg.sum(y) < 9, lambda y: w * 2.0, x)
        z = mg.while_loop(lambda y: mg.sum(y) < 9, lambda y: y + w, x)
    session = mg.Session(graph)
    assert session.run([y, z], {x: [1.0, 2.0], w: [3.0, 4.0]})[0].tolist() == [6, 8]
    with pytest.raises(mg.ShapeError, match=r": y starts as float64\[2\], but the body returns"):
        session.run(y, {x: [1.0, 2.0], w: [3.0]})
    assert session.run(z, {x: [1.0, 2.0], w: [3.0]}).tolist() == [4, 5]
    with pytest.raises(mg.ShapeError, match=r": y starts as float64\[1\], but the body returns"):
        session.run(z, {x: [1.0], w: [3.0, 4.0]})


@pytest.mark.parametrize("seed", [np.ones(1), np.ones(3)], ids=["one", "three"])
def test_a_seed_may_know_the_length_of_a_carry_that_will_only_be_fed(seed):
    with mg.Graph() as graph:
        x, rows = mg.placeholder("x", shape=(None,)), mg.placeholder("rows", shape=(2,))
        ys = mg.scan(lambda c, t: (c * t, c), x, rows)[0], twice_sine(x)
        found = [mg.forward_gradients(y, x, seed)[0] for y in ys]
        found += [mg.gradients(y, x, seed)[0] for y in ys]
        found += [mg.gradients(mg.forward_gradients(y, x, seed)[0], x, seed)[0] for y in ys]
    assert {z.shape for z in found} == {(None,)}
    value = np.linspace(0.5, 1.0, len(seed))
    results = mg.Session(graph).run(found, {x: value, rows: [2.0, 3.0]})
    slope = np.cos(np.sin(value)) * np.cos(value)
    bend = -np.sin(np.sin(value)) * np.cos(value) ** 2 - np.cos(np.sin(value)) * np.sin(value)
    expected = [6 * seed, slope, 6 * seed, slope, 0 * seed, bend]
    np.testing.assert_allclose(results, expected, rtol=1e-13)


def twice_sine(x):
    return mg.while_loop(lambda i, c: i < 2, lambda i, c: (i + 1, mg.sin(c)), (0, x))[1]


def test_a_graph_with_bodies_is_pickled():
    with mg.Graph():
        x = mg.placeholder("x", (2,))
        y = mg.cond(mg.sum(x) > 0, lambda x: mg.tanh(x) @ x, lambda x: mg.exp(x)[0], x)
    again = pickle.loads(pickle.dumps(y))
    fed = {again.graph.nodes[x.order]: np.ones(2)}
    assert mg.Session(again.graph).run(again, fed) == mg.Session(y.graph).run(y, {x: np.ones(2)})


@pytest.mark.parametrize("number", [4.0, -4.0])
@pytest.mark.parametrize("make", [mg.tensor, mg.constant], ids=["dynamic", "static"])
def test_what_is_no_function_of_the_operands_is_refused_with_the_cure(number, make):
    with mg.Graph():
        w = make(number)
        with pytest.raises(mg.ArgumentError, match="cond: then is not a function but a"):
            mg.cond(w > 0, mg.exp(w), lambda w: w, w)
        with pytest.raises(mg.ArgumentError, match="the operands stand last, for both"):
            mg.cond(w > 0, lambda w: mg.sqrt(w), lambda w: w)
        with pytest.raises(TypeError, match="abs"):  # an error of the branch is its own
            mg.cond(w > 0, lambda w: abs(), lambda w: abs(), w)
        with pytest.raises(mg.ArgumentError, match="while_loop: condition is not a function"):
            mg.while_loop(w < 9, lambda w: w * 2, w)
        with pytest.raises(mg.ArgumentError, match="scan: body is not a function"):
            mg.scan(w, 0.0, np.ones(3))
