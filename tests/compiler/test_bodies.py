"""Bodies of loops and choices in generated programs: written in place, and the same to the bit."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler.carries import Rows
from minigrad.compiler.iterations import contiguous_slices

N = 4


def source_of(fetches, feeds, **options):
    (home,) = {x.graph for x in feeds}
    source = mg.Session(home, **options).compile(fetches, feeds).source
    return re.sub(r"  # .*", "", source)


def captured_transpose(x, xs):
    turned = x.T
    return mg.scan(lambda h, e: (mg.tanh(h @ turned + e), h * e), x, xs)


def transposed_carry(x, xs):
    return mg.scan(lambda h, e: ((mg.sin(h) @ x + e).T, h[::-1]), x.T, xs)


def slices_of_a_transpose(x, xs):
    return mg.scan(lambda h, e: (h + e @ x, mg.exp(e)), x, mg.transpose(xs, (0, 2, 1)))


def slices_that_are_one_row(x, xs):
    rows = mg.broadcast_to(x, (3, N, N))
    return mg.scan(lambda h, e: (mg.tanh(h @ e), mg.sum(h)), x, rows)


def slices_from_behind(x, xs):
    return mg.scan(lambda h, e: (h * e, (h, e)), x, xs[::-1], reverse=True)


def next_carry_as_y(x, xs):
    def step(h, e):
        h = mg.tanh(h @ x + e)
        return h, h

    return mg.scan(step, x, xs)


def next_carry_as_y_in_reverse(x, xs):
    def step(c, e):
        h, total = c
        h = mg.tanh(h @ x + e)
        return (h, total + mg.sum(h)), (h, total)

    return mg.scan(step, (x, mg.sum(x)), xs, reverse=True)


def carries_change_places(x, xs):
    def step(c, e):
        a, b, k, m = c
        return (b, a, m, k), (a * e, k)

    return mg.scan(step, (x, x * 2.0, mg.sum(x), 1.5), xs)


def one_value_for_two_carries(x, xs):
    def step(c, e):
        a, b = c
        h = a @ b.T + e
        return (h, h), None

    return mg.scan(step, (x, x), xs)[0]


def nothing_changes(x, xs):
    return mg.scan(lambda h, e: (h, None), x, xs)[0], mg.scan(lambda h, e: (h, h), x, xs)[1]


def a_constant_comes_back(x, xs):
    return mg.scan(lambda h, e: (np.ones((N, N)), h), x, xs)


def no_iterations(x, xs):
    return mg.scan(lambda h, e: (h @ x, (h * 2, mg.sum(h))), x, xs[:0])


def numbers_only(x, xs):
    return mg.while_loop(lambda i, s: i < 7, lambda i, s: (i + 1, s * 1.5 + i), (0, mg.sum(x)))


def at_most_three(x, xs):
    return mg.while_loop(lambda h: mg.sum(h) < 1e9, lambda h: h * h + x, x, maximum_iterations=3)


def until_it_is_small(x, xs):
    return mg.while_loop(
        lambda i, h: mg.sum(h * h) > 1e-3, lambda i, h: (i + 1, mg.tanh(h) * 0.5), (0, x)
    )


def loop_in_a_choice_in_a_loop(x, xs):
    def step(h, e):
        def inner():
            return mg.while_loop(lambda k, u: k < 2, lambda k, u: (k + 1, u @ e), (0, h))[1]

        h = mg.cond(mg.sum(e) > 0, inner, lambda: h * e.T)
        return h, mg.scan(lambda c, r: (c + r, c * 2.0), h[0], e)

    return mg.scan(step, x, xs)


def choice_of_views(x, xs):
    return mg.cond(mg.sum(x) > 0, lambda: (x, x.T, x[1:]), lambda: (x.T, x, x[:-1]))


LOOPS = [
    captured_transpose,
    transposed_carry,
    slices_of_a_transpose,
    slices_that_are_one_row,
    slices_from_behind,
    next_carry_as_y,
    next_carry_as_y_in_reverse,
    carries_change_places,
    one_value_for_two_carries,
    nothing_changes,
    a_constant_comes_back,
    no_iterations,
    numbers_only,
    at_most_three,
    until_it_is_small,
    loop_in_a_choice_in_a_loop,
    choice_of_views,
]


@pytest.mark.parametrize("unknown", [False, True], ids=["", "unknown lengths"])
@pytest.mark.parametrize("loop", LOOPS, ids=lambda f: f.__name__)
def test_a_compiled_loop_is_the_plain_one_to_the_bit(loop, unknown):
    rng = np.random.default_rng(0)
    arrays = [rng.normal(0, 0.5, (N, N)), rng.normal(0, 0.5, (5, N, N))]
    with mg.Graph() as graph:
        xs = [
            mg.placeholder("x", arrays[0].shape),
            mg.placeholder("xs", (None if unknown else 5, N, N)),
        ]
        values = mg.core.pytree.flatten(loop(*xs))[0]
        floats = [v for v in values if v.dtype.kind == "f"]
        total = sum([mg.sum(mg.sin(v)) for v in floats[1:]], mg.sum(mg.sin(floats[0])))
        slopes = mg.gradients(total, xs, unconnected="zero")
        again = mg.gradients(mg.sum(slopes[0] * slopes[0]), xs, unconnected="zero")
        moved = mg.forward_gradients(total, xs, list(map(np.ones_like, arrays)))
    feeds = dict(zip(xs, arrays))
    asked = [*values, *slopes, *again, *moved]
    plain = mg.Session(graph, optimize=False, backend="numpy").run(asked, feeds)
    for options in ({}, {"debug": True}, {"optimize": False, "debug": True}):
        session = mg.Session(graph, **options)
        for _ in range(2):
            for got, expected in zip(session.run(asked, feeds), plain):
                np.testing.assert_array_equal(got, expected)
    with mg.enable_grad():
        found = mg.core.pytree.flatten(loop(*map(mg.tensor, arrays)))[0]
    for got, expected in zip(found, plain):
        np.testing.assert_array_equal(np.asarray(got), expected)


def test_a_body_is_written_where_it_runs_and_reuses_its_buffers():
    with mg.Graph():
        x = mg.placeholder("x", (8, 8))
        y = mg.while_loop(lambda i, h: i < 9, lambda i, h: (i + 1, h @ mg.tanh(x)), (0, x))
        source = source_of(y, [x])
    assert len(re.findall(r"\bwhile True:", source)) == 1 and "while_(" not in source
    head, body = source.split("while True:")
    assert "empty(" not in body.split("r1_")[0], "an array is made in each iteration"
    assert re.search(r"v1_0, v1_1, s1_1 = \w+, s1_1, v1_1\n", body) and head.count("empty(") == 1


def test_a_carry_is_updated_where_it_lies_when_nothing_reads_it_later():
    def loop(body):
        with mg.Graph():
            x = mg.placeholder("x", (8,))
            return source_of(mg.scan(lambda h, _: (body(h, x), None), x, None, length=3)[0], [x])

    assert "s1_0" not in loop(lambda h, x: h * x)
    assert "s1_0" not in loop(lambda h, x: mg.sin(h) * x)
    assert "s1_0" not in loop(lambda h, x: mg.sin(h) * x * h[0] + h)
    swapped = loop(lambda h, x: h[::-1] * x)  # a view of the carry is read meanwhile
    assert "s1_0" in swapped and "copyto" not in swapped


def test_what_reverse_mode_needs_is_computed_in_its_row():
    with mg.Graph():
        w, x = mg.placeholder("w", (8, 8)), mg.placeholder("x", (8, 8))

        def step(h, _):
            h = mg.tanh(h @ w)
            return h, h

        source = source_of(mg.gradients(mg.sum(mg.scan(step, x, None, length=9)[1]), [w]), [w, x])
    forward, _ = source.split("[::-1]", 1)
    inside = re.search(r"\n    for [^\n]*\n((?:        [^\n]*\n)+)", forward)[1]
    assert "copyto" not in inside and "append" not in inside and ", s1_0)" in inside


def test_large_bodies_are_fused_and_their_carries_updated_tile_by_tile():
    x = np.random.default_rng(0).normal(size=200_000)
    with mg.Graph() as graph:
        node = mg.placeholder("x", x.shape)

        def body(i, a, b):
            return i + 1, a * 0.5 + mg.sin(b), mg.tanh(a * b) + a

        _, a, b = mg.while_loop(lambda i, a, b: i < 3, body, (0, node, node * 2.0))
        y = mg.scan(lambda h, _: (mg.exp(-h * h) * node, None), node, None, length=3)[0]
        asked = [a, b, y, *mg.gradients(mg.sum(a * b) + mg.sum(y * a), [node])]
    plain = mg.Session(graph, optimize=False, backend="numpy").run(asked, {node: x})
    for options in ({}, {"debug": True}):
        session = mg.Session(graph, **options)
        for _ in range(2):
            for got, expected in zip(session.run(asked, {node: x}), plain):
                np.testing.assert_array_equal(got, expected)
    assert "kernel_(" in session.compile(asked, [node]).source


def test_results_of_one_loop_share_memory_with_nothing():
    x = np.ones((2, 2))
    with mg.Graph() as graph:
        node = mg.placeholder("x", x.shape)
        last, hs = mg.scan(lambda h, _: (h * 2.0, h * 2.0), node, None, length=3)
        last2, hs2 = mg.scan(lambda h, _: (h * 2.0, h * 2.0), node, None, length=3)
    for session in (mg.Session(graph), mg.Session(graph, optimize=False, debug=True)):
        found = session.run([last, hs, last, hs, last2, hs2], {node: x})
        for i, array in enumerate(found):
            array[...] = -i
        for i, array in enumerate(found):
            assert np.all(array == -i) and np.all(x == 1)


def test_a_choice_gives_a_copy_of_what_it_was_given():
    x = np.ones(3)
    with mg.Graph() as graph:
        node = mg.placeholder("x", x.shape)
        y = mg.exp(node)
        z = mg.cond(mg.sum(node) > 0, lambda y: y, lambda y: y * 2.0, y)
    for session in (mg.Session(graph), mg.Session(graph, optimize=False, debug=True)):
        found = session.run([y, z], {node: x})
        found[0][...] = 0
        np.testing.assert_array_equal(found[1], np.exp(x))


def test_loops_deeper_than_python_nests_blocks():
    def deeper(levels, x):
        if not levels:
            return x * 1.5
        body = lambda i, h: (i + 1, deeper(levels - 1, h))
        return mg.while_loop(lambda i, h: i < 1, body, (0, x))[1]

    with mg.Graph() as graph:
        x = mg.placeholder("x", (2,))
        y = deeper(25, x)
        (slope,) = mg.gradients(mg.sum(y), [x])
    np.testing.assert_array_equal(
        mg.Session(graph).run([y, slope], {x: [1.0, 2.0]}), [[1.5, 3], [1.5, 1.5]]
    )


def test_a_loop_without_stacks_takes_memory_for_one_iteration(monkeypatch):
    x = np.ones(100_000)
    with mg.Graph() as graph:
        node = mg.placeholder("x", x.shape)
        last = mg.scan(lambda h, _: (mg.sin(h) * node + h, None), node, None, length=20)[0]
    session = mg.Session(graph)
    session.run(last, {node: x})
    assert mg.measure.memory(lambda: session.run(last, {node: x})) < 3.1 * x.nbytes


def test_an_error_in_a_body_inside_a_body_names_all_lines():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        i = mg.placeholder("i", (), int)

        def inner(h):
            return mg.scan(lambda c, _: (c + h[i], None), h, None, length=2)[0]  # the inner body

        y = mg.while_loop(
            lambda h: mg.sum(h) < 9, lambda h: mg.cond(h[0] > 0, inner, lambda h: h, h), x
        )
    texts = []
    for options in ({}, {"optimize": False, "backend": "numpy"}):
        with pytest.raises(mg.MinigradError, match="out of bounds") as caught:
            mg.Session(graph, **options).run(y, {x: np.ones(3), i: 7})
        texts.append(str(caught.value))
        assert "# the inner body" in texts[-1]
    assert texts[0] == texts[1]


def test_rows_of_a_growing_stack_stay():
    rows = Rows((2,), np.dtype(float))
    for i, row in zip(range(100), rows):
        row[...] = i
    np.testing.assert_array_equal(rows.stack(99), np.repeat(np.arange(99.0), 2).reshape(99, 2))
    assert rows.stack(3).shape == (3, 2) and rows.stack(0).shape == (0, 2)


def test_slices_lie_row_by_row():
    for x in (
        np.ones((3, 2, 4)).T,
        np.broadcast_to(np.ones((2, 3)).T, (4, 3, 2)),
        np.ones(3)[::-1],
    ):
        slices = list(contiguous_slices(x))
        assert len(slices) == len(x) and all(s.flags.c_contiguous for s in slices)
        np.testing.assert_array_equal(slices, x)
