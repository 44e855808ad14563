"""The static engine: graphs, feeds, fetches, statements, compiled programs."""

import asyncio
import collections
import dataclasses
import gc
import linecache
import sys
import threading

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad.compiler.codegen import Generated


@pytest.fixture
def line():
    """y = (x + w)(w + 1) with x fed and w stored."""
    with mg.Graph("line") as graph:
        x = mg.placeholder("x")
        w = mg.Variable(1.0, name="w")
        a, b = x + w, w + 1
        y = a * b
    Line = collections.namedtuple("Line", "graph x w a b y")
    return Line(graph, x, w, a, b, y)


# graphs ------------------------------------------------------------------------------------------


def test_nodes_know_shape_dtype_line_and_print_themselves(line):
    assert repr(line.y) == "%5 = Mul(%2, %4): float64[]"
    assert repr(line.w) == "%1 w = Variable(): float64[]"
    assert "test_session.py" in str(line.y.line) and "y = a * b" in str(line.y.line)
    assert [n.role for n in line.graph.nodes] == ["input", "variable", "op", "constant", "op", "op"]
    assert repr(line.graph) == "<line: 6 nodes>" and line.graph.variables == [line.w]


def test_names_are_unique_and_carry_their_scopes():
    with mg.Graph():
        with mg.name_scope("layer"), mg.name_scope("inner"):
            first, second = mg.placeholder("x"), mg.placeholder("x")
        assert [first.name, second.name] == ["layer/inner/x", "layer/inner/x_1"]
        assert first.scope == "layer/inner" and mg.placeholder().name is None


def test_the_graph_in_use_is_the_innermost_open_one():
    outside = mg.default_graph()
    assert mg.open_graph() is None
    with mg.Graph() as outer:
        with mg.Graph() as inner:
            assert mg.default_graph() is mg.open_graph() is inner
        assert mg.default_graph() is outer
    assert mg.default_graph() is outside


def test_arrays_numbers_and_tensors_become_constants():
    with mg.Graph():
        x = mg.placeholder("x", shape=(2,), dtype=np.float32)
        assert (x * 2.0).dtype == (1 - x).dtype == np.float32
        assert (x * np.float64(2)).dtype == np.float64
        assert (np.ones(2) + x).shape == (2,)
        assert (x + mg.tensor([1.0, 2.0])).inputs[1].value.tolist() == [1, 2]
        with pytest.raises(mg.GraphError, match="where its derivative would end"):
            x + mg.tensor([1.0, 2.0], requires_grad=True)
        kept = np.ones(2)
        c = mg.constant(kept)
        kept[0] = 9
        assert c.value.tolist() == [1, 1] and not c.value.flags.writeable


@pytest.mark.parametrize(
    "use",
    [bool, float, int, list, np.asarray, np.array, lambda y: y.item(), lambda y: 1 if y > 0 else 2],
)
def test_a_node_has_no_value_yet(line, use):
    with pytest.raises(mg.GraphError, match="has no value until a Session runs it"):
        use(line.y)


def test_comparisons_and_hashes_do_not_compare_values(line):
    assert (line.x == line.w).op is mg.core.ops.elementwise.Equal
    assert {line.x: 1}[line.x] == 1


# feeds and fetches -------------------------------------------------------------------------------


def test_run_computes_what_is_fetched(line):
    session = mg.Session(line.graph)
    y = session.run(line.y, {line.x: 2})
    assert isinstance(y, np.ndarray) and y == 6
    dw, dx = mg.gradients(line.y, [line.w, line.x])
    assert session.run([dw, dx], {line.x: 2.0}) == [5, 2]


def test_fetches_come_back_in_the_nest_they_were_asked_in(line):
    Pair = collections.namedtuple("Pair", "first second")
    nest = {"a": line.a, "rest": [line.b, (line.y,)], "pair": Pair(line.x, line.w)}
    assert mg.Session(line.graph).run(nest, {line.x: 2}) == {
        "a": 3,
        "rest": [2, (6,)],
        "pair": Pair(2, 1),
    }


def test_any_node_may_be_fed_and_what_is_behind_it_is_not_needed(line):
    session = mg.Session(line.graph)
    assert session.run(line.y, {line.a: 10, line.w: 3}) == 40
    assert session.run(line.b, {}) == 2
    assert session.run(line.y, {line.y: 5}) == 5


def test_feeds_take_lists_tensors_and_exact_conversions():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None,), dtype=np.float32)
        n = mg.placeholder("n", dtype=int)
        y = x * 2.0
    session = mg.Session(graph)
    for feed in ([1, 2], [1.5, 2.5], np.array([1, 2], np.int16), mg.tensor(np.float32([1, 2]))):
        assert session.run(y, {x: feed}).dtype == np.float32
    assert session.run(n, {n: np.int8(3)}) == 3 and session.run(n, {n: True}) == 1


def test_results_share_memory_with_nothing():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        w = mg.Variable(np.ones(3))
        c = mg.constant(np.ones(3))
        view = x.reshape(3, 1)
    session, fed = mg.Session(graph), np.zeros(3)
    results = session.run([x, w, c, view, view, x], {x: fed})
    for i, result in enumerate(results):
        result += i + 1
    assert fed.tolist() == [0, 0, 0] and c.value.tolist() == [1, 1, 1]
    assert session.run(w).tolist() == [1, 1, 1] and results[3].tolist() == [[4]] * 3


def test_a_graph_is_compiled_once_for_fetches_feeds_shapes_and_dtypes():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None, 2))
        y = mg.sum(x, axis=0)
    session = mg.Session(graph)
    for rows in (1, 2, 2, 1, 3, 3):
        assert session.run(y, {x: np.ones((rows, 2))}).tolist() == [rows, rows]
    assert session.compiled == 3
    session.run([y], {x: np.ones((3, 2))})
    assert session.compiled == 3
    session.run([y, x], {x: np.ones((3, 2))})
    assert session.compiled == 4
    with graph:
        t = mg.placeholder("t")
        z = y * t
    session.run(z, {x: np.ones((3, 2)), t: 1.0})
    session.run(z, {t: 1.0, x: np.ones((3, 2))})
    assert session.compiled == 5


def test_only_what_is_needed_is_computed(monkeypatch):
    called = []
    monkeypatch.setattr(
        mg.core.ops.elementwise.Exp, "compute", lambda x: called.append("exp") or np.exp(x)
    )
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        unused, y = mg.exp(x), mg.sin(x)
    session = mg.Session(graph)
    session.run([y, unused], {x: 0.0})
    called.clear()
    session.run(y, {x: 0.0})
    assert called == []
    session.run([y, unused], {x: 0.0})
    assert called == ["exp"]


def test_a_graph_of_20_000_nodes_runs_without_recursion():
    with mg.Graph() as graph:
        x = y = mg.placeholder("x")
        for _ in range(10_000):
            y = y + 1.0
    dx = mg.gradients(y, [x])[0]
    assert mg.Session(graph).run([y, dx], {x: 0}) == [10_000, 1]


# statements --------------------------------------------------------------------------------------


def test_variables_live_in_the_session():
    with mg.Graph() as graph:
        w = mg.Variable(1.0, name="w")
        up = mg.assign_add(w, 2.0)
    one, other = mg.Session(graph), mg.Session(graph)
    assert one.run(up) == 3 and one.run(up) == 5
    assert one.run(w) == 5 and other.run(w) == 1
    with mg.Session(graph) as third:
        third.run(up)
    assert third.run(w) == 1


def test_statements_run_in_order_of_creation():
    with mg.Graph() as graph:
        w = mg.Variable(1.0)
        before = w * 10
        first = mg.assign(w, w + 1)
        between = w * 10
        second = mg.assign(w, w * w)
        after = w * 10
        all_of_them = mg.group(second, first)
    session = mg.Session(graph)
    assert session.run([after, between, before, all_of_them, w]) == [40, 20, 10, None, 1]
    assert session.run(w) == 4
    assert session.run(after) == 40 and session.run(w) == 4


@pytest.mark.parametrize(
    "f",
    [
        lambda w: +w,
        lambda w: w.astype(float),
        lambda w: mg.ensure_shape(w, (None,)),
        mg.atleast_1d,
        lambda w: mg.tile(w, 1),
        lambda w: mg.reshape(w, (2,)),
    ],
)
def test_what_changes_nothing_reads_a_variable_as_it_is_by_then(f):
    with mg.Graph() as graph:
        w = mg.Variable([1.0, 2.0])
        before, change, after = f(w), mg.assign(w, w + w), f(w)
    results = mg.Session(graph).run([after, change, before])
    assert results[0].tolist() == [2, 4] and results[2].tolist() == [1, 2]


def test_a_view_of_a_variable_keeps_the_numbers_from_before():
    with mg.Graph() as graph:
        w = mg.Variable([[1.0, 2.0], [3.0, 4.0]])
        turned = w.T
        change = mg.assign_sub(w, w)
        late = turned @ mg.constant(np.eye(2))
    assert mg.Session(graph).run([late, change])[0].tolist() == [[1, 3], [2, 4]]


def test_a_variable_does_not_keep_the_callers_array():
    with mg.Graph() as graph:
        w = mg.Variable(np.zeros(2))
        x = mg.placeholder("x", shape=(2,))
        store = mg.assign(w, x)
    session, fed = mg.Session(graph), np.ones(2)
    session.run(store, {x: fed})
    fed[:] = 9
    assert session.run(w).tolist() == [1, 1]


def test_a_run_that_fails_changes_nothing():
    with mg.Graph() as graph:
        w = mg.Variable(1.0)
        labels = mg.placeholder("labels", shape=(None,), dtype=int)
        change = mg.assign_add(w, 1.0)
        loss = mg.cross_entropy(np.ones((1, 2)), labels)
    session = mg.Session(graph)
    with pytest.raises(mg.ArgumentError, match="labels range from 5 to 5"):
        session.run([change, loss], {labels: [5]})
    assert session.run(w) == 1


# errors ------------------------------------------------------------------------------------------


def unfit(shape=(None, 3), dtype=float):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=shape, dtype=dtype)
    return mg.Session(graph), x


@pytest.mark.parametrize(
    "feed, text",
    [
        (np.ones((2, 4)), r"x is float64\[\?,3\], but float64\[2,4\] is fed"),
        (np.ones(3), r"x is float64\[\?,3\], but float64\[3\] is fed"),
        ("abc", "is not made of numbers"),
        ([[1], [1, 2]], "cannot become an array"),
    ],
)
def test_unfit_feeds(feed, text):
    session, x = unfit()
    with raises_saying(mg.MinigradError, text):
        session.run(x * 2, {x: feed})


@pytest.mark.parametrize(
    "dtype, feed",
    [(int, 0.5), (int, np.array([0.5])), (np.float32, np.ones(1)), (bool, 1), (np.int8, [1000])],
)
def test_feeds_that_would_be_rounded(dtype, feed):
    session, x = unfit(shape=(None,), dtype=dtype)
    with pytest.raises(mg.MinigradError, match="would be rounded"):
        session.run(x, {x: feed})


def test_missing_and_unknown_feeds_name_both_sides(line):
    session = mg.Session(line.graph)
    with pytest.raises(mg.FeedError, match=r"\(Mul\) cannot be computed: x, float64\[\], is not"):
        session.run(line.y)
    with pytest.raises(mg.FeedError, match="'x' is not a Node"):
        session.run(line.y, {"x": 2})
    with mg.Graph("other"):
        z = mg.placeholder("z")
    with pytest.raises(
        mg.FeedError, match="belongs to <other: 1 nodes>, but this session to <line"
    ):
        session.run(line.y, {line.x: 1, z: 2})
    with pytest.raises(mg.GraphError, match="belongs to <other"):
        session.run(z, {})
    with pytest.raises(mg.GraphError, match="str cannot be fetched"):
        session.run("y", {})
    with pytest.raises(mg.GraphError, match="^... is given where a node is fetched"):
        session.run(..., {})
    with pytest.raises(mg.FeedError, match="the feeds are not a dict"):
        session.run(line.y, [2])
    with pytest.raises(mg.ArgumentError, match="Session of 3"):
        mg.Session(3)


def test_an_error_inside_run_names_the_line_that_made_the_node():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None, None))
        y = mg.placeholder("y", shape=(None, None))
        product = x @ y  # the line to be named
    with pytest.raises(mg.ShapeError, match="x's columns must equal y's rows") as caught:
        mg.Session(graph).run(product, {x: np.ones((2, 3)), y: np.ones((2, 3))})
    assert "product = x @ y  # the line to be named" in str(caught.value)


@pytest.mark.parametrize(
    "shapes", [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((3,), (2, 3, 4))]
)
def test_a_product_with_a_vector_is_one_node_in_both_engines(shapes):
    arrays = [np.ones(shape) for shape in shapes]
    with mg.Graph() as graph:
        nodes = mg.placeholder("x", (*shapes[0][:-1], None)), mg.placeholder("y", shapes[1])
        z = nodes[0] @ nodes[1]
    tensor = mg.tensor(arrays[0], requires_grad=True) @ arrays[1]
    assert z.inputs == nodes and len(graph.nodes) == 3
    assert tensor.op is z.op and tensor.shape == z.shape == np.matmul(*arrays).shape
    assert mg.Session(graph).run(z, dict(zip(nodes, arrays))).tolist() == tensor.numpy().tolist()


@pytest.mark.parametrize(
    "make, kind, text",
    [
        (
            lambda: mg.placeholder("x", shape=(2,)) + mg.constant([1.0, 2, 3]),
            mg.ShapeError,
            r"add\(x: float64\[2\], y: float64\[3\]\): lengths 2 and 3 do not broadcast",
        ),
        (
            lambda: mg.placeholder("x", shape=(-1.5,)),
            mg.ArgumentError,
            "-1.5 is not a whole number",
        ),
        (lambda: mg.placeholder("x", dtype="U3"), mg.DtypeError, "is not a type of numbers"),
        (lambda: mg.placeholder(3), mg.ArgumentError, "first argument is its name, not 3"),
        (lambda: mg.Variable("abc"), mg.DtypeError, "not made of numbers"),
        (lambda: mg.assign(mg.constant(1.0), 2.0), mg.GraphError, "is not a Variable"),
        (
            lambda: mg.assign(mg.Variable([1.0, 2], name="w"), 2.0),
            mg.ShapeError,
            "value does not have the shape of w",
        ),
        (
            lambda: mg.assign(mg.Variable(np.float32(1), name="w"), np.float64(2)),
            mg.DtypeError,
            "value does not have the dtype of w",
        ),
        (lambda: mg.group(), mg.ArgumentError, r"group\(\) of nothing"),
        (lambda: mg.name_scope("").__enter__(), mg.ArgumentError, "a scope needs a name"),
        (
            lambda: mg.gradients(mg.sum(mg.placeholder("i", (2,), int)), [mg.placeholder("x")]),
            mg.GradientError,
            "only floats have derivatives",
        ),
    ],
)
def test_bad_input_is_one_clear_message(make, kind, text):
    with mg.Graph(), raises_saying(kind, text) as caught:
        make()
    assert "\n  at   test_session.py" in str(caught.value) and "\n  try  " in str(caught.value)


# programs ----------------------------------------------------------------------------------------


def test_a_session_holds_few_programs_and_drops_their_sources():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None,))
        y = mg.sum(mg.exp(x))
    gc.collect()
    before = len(linecache.cache)
    session = mg.Session(graph, keep=4)
    for n in [*range(1, 30), 1]:
        assert session.run(y, {x: np.zeros(n)}) == n
    gc.collect()
    assert session.compiled == 30 and len(session.executables) == 4
    assert len(linecache.cache) - before <= 4
    assert session.run(y, {x: np.zeros(28)}) == 28 and session.compiled == 30
    del session
    gc.collect()
    assert len(linecache.cache) <= before
    with pytest.raises(mg.ArgumentError, match="keep=0"):
        mg.Session(graph, keep=0)


def test_many_fetches_take_linear_time():
    """Counted, not timed: each fetched node is looked at a fixed number of times."""

    class Counting(list):
        looks = 0

        def __iter__(self):
            for item in super().__iter__():
                Counting.looks += 1
                yield item

    def looks(count):
        with mg.Graph() as graph:
            x = mg.placeholder("x")
            ys = [x * float(i) for i in range(count)]
        exe = mg.Session(graph).compile(ys, [x])
        program = dataclasses.replace(exe.program, fetches=Counting(exe.program.fetches))
        Counting.looks = 0
        Generated(program, exe.plan, mg.static.session.Options())
        return Counting.looks

    assert looks(1600) <= 4.5 * looks(400)


def test_a_run_inside_a_run_works_or_says_why_not():
    def build(inner):
        with mg.Graph() as graph:
            x = mg.placeholder("x")
            v = mg.Variable(1.0)
            step = mg.assign_add(v, 1.0)
            op = mg.custom_op(
                lambda a: np.asarray(inner(a, session, x, y, v, step)),
                infer=lambda a: (a.shape, a.dtype),
                name="inner",
            )
            y = op(x) * 1.5
        session = mg.Session(graph)
        return lambda: session.run(y, {x: 3.0})

    def in_thread(f):
        found = []

        def work():
            try:
                found.append(f())
            except mg.GraphError as error:
                found.append(str(error))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(60)
        return found[0] if found else "hangs"

    again = in_thread(build(lambda a, s, x, y, v, step: s.run(y, {x: a - 1})))
    assert "run again inside a run" in again
    changes = in_thread(build(lambda a, s, x, y, v, step: s.run(step)))
    assert "changes variables inside a run" in changes
    assert in_thread(build(lambda a, s, x, y, v, step: a + s.run(v * 2.0))) == 7.5


@pytest.mark.parametrize("size", [3, 100_000])
def test_a_run_is_atomic_for_threads(size):
    with mg.Graph() as graph:
        v = mg.Variable(np.zeros(size))
        x = mg.placeholder("x", (size,))
        adds = [mg.group(mg.assign_add(v, x)), mg.group(mg.assign_add(v, 2.0 * x))]
        both = [mg.min(v), mg.max(v)]
    session, ones, torn = mg.Session(graph), np.ones(size), []

    def work(step):
        for _ in range(100):
            session.run(step, {x: ones})
            low, high = session.run(both)
            torn.extend([(low, high)] if low != high else [])

    threads = [threading.Thread(target=work, args=(step,)) for step in adds]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        [t.start() for t in threads], [t.join() for t in threads]
    finally:
        sys.setswitchinterval(interval)
    value = session.run(v)
    assert (value.min(), value.max(), torn) == (300, 300, [])


def test_open_graphs_belong_to_a_task():
    async def build(name):
        with mg.Graph(name):
            await asyncio.sleep(0)
            made = mg.constant(1.0)
            await asyncio.sleep(0)
            return made.graph.name

    async def both():
        return await asyncio.gather(build("A"), build("B"))

    assert asyncio.run(both()) == ["A", "B"]


def test_an_impure_op_that_others_depend_on_runs():
    ran = []
    log = mg.custom_op(
        lambda a: ran.append(1) or a * 1, infer=lambda a: (a.shape, a.dtype), name="log"
    )
    for options in ({}, {"optimize": False, "backend": "numpy"}):
        with mg.Graph() as graph:
            x = mg.placeholder("x", (2,))
            with mg.control_dependencies([log(x)]):
                y = x + 1
        mg.Session(graph, **options).run(y, {x: np.ones(2)})
    assert len(ran) == 2


def test_a_large_variable_may_be_assigned_what_does_not_read_it():
    with mg.Graph() as graph:
        v, x = mg.Variable(np.zeros(10_000)), mg.placeholder("x", (10_000,))
        steps = [mg.assign(v, x * 2), mg.assign(v, mg.tanh(x))]
    for optimize in (True, False):
        session = mg.Session(graph, optimize)
        session.run(steps, {x: np.ones(10_000)})
        assert session.run(v)[0] == np.tanh(1)


def test_a_seed_of_known_length_is_held_against_what_is_fed():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None,))
        (slope,) = mg.gradients(x * 3.0, [x], np.ones(2))
    session = mg.Session(graph)
    assert session.run(slope, {x: np.ones(2)}).tolist() == [3, 3]
    with pytest.raises(mg.MinigradError, match="not broadcast"):
        session.run(slope, {x: np.ones(3)})


def test_a_length_of_zero_stays_so_beside_an_unknown_one():
    with mg.Graph() as graph:
        x, y = mg.placeholder("x", (None,)), mg.placeholder("y", (None, 0))
        picked, rest = x[[]], y[1:, ::-1]
    assert picked.shape == (0,) and rest.shape == (None, 0)
    found = mg.Session(graph).run([picked, rest], {x: np.ones(3), y: np.ones((3, 0))})
    assert [a.shape for a in found] == [(0,), (2, 0)]


def test_what_an_unknown_length_would_decide_is_asked():
    with mg.Graph():
        x = mg.placeholder("x", (None, 1))
        assert mg.squeeze(x, 1).shape == (None,)
        with pytest.raises(mg.ShapeError, match="may or may not be 1"):
            mg.squeeze(x)


# first lines of other libraries ------------------------------------------------------------------


def test_a_variable_starts_as_a_node_that_needs_no_feed():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        zeros = mg.Variable(mg.zeros((2, 2)), name="zeros")
        noise = mg.Variable(mg.random_normal((3,), seed=1) * 0.1, name="noise")
        twice = mg.Variable(noise * 2)
        with pytest.raises(mg.FeedError, match="x"):
            mg.Variable(x * 2)
    found = mg.Session(graph).run([zeros, noise, twice])
    expected = mg.random_normal((3,), seed=1).numpy() * 0.1
    np.testing.assert_array_equal(found[0], np.zeros((2, 2)))
    np.testing.assert_array_equal(found[1], expected)
    np.testing.assert_array_equal(found[2], 2 * expected)


@pytest.mark.parametrize("name", ["float", "float32", "int64", "uint8", "bool", float, np.float32])
def test_a_dtype_in_the_place_of_a_placeholders_name_is_told(name):
    with mg.Graph(), pytest.raises(mg.ArgumentError, match="first argument is its name") as caught:
        mg.placeholder(name, [None, 784])
    assert 'placeholder("x", [None, 784], float)' in caught.value.hint


def test_a_shape_in_the_place_of_a_placeholders_name_is_told():
    with mg.Graph(), pytest.raises(mg.ArgumentError, match="is its name, not \\(3,\\)") as caught:
        mg.placeholder((3,), float)
    assert 'write placeholder("x", (3,), float)' in caught.value.hint
