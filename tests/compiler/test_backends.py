"""Generated programs: readable, safe, right in their errors; compile and Executable."""

import threading

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg


@pytest.mark.lane
def test_the_source_is_straight_line_numpy_with_the_learners_lines():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(4, 3))
        w = mg.Variable(np.ones((3, 2)), name="w")
        h = mg.tanh(x @ w)
        loss = mg.sum(h * h)
        step = mg.assign_sub(w, 0.1 * mg.gradients(loss, [w])[0])
    exe = mg.Session(graph).compile([loss, step], [x])
    assert exe.source.splitlines()[0] == "def run(feeds, variables, back_buffers, index):"
    assert "x0.dot(v0, b2)" in exe.source and "tanh_(b2, b2)  # %3" in exe.source
    assert "in place" in exe.source
    assert "h = mg.tanh(x @ w)" in exe.source
    first = exe(np.ones((4, 3)))[0]
    assert first == pytest.approx(8 * np.tanh(3) ** 2) and exe(np.ones((4, 3)))[0] < first


R = np.random.default_rng(0)
SPELLINGS = {  # a formula, operands, what stands in the source, and what must not
    "numbers": (lambda x, y: -x / y + mg.sin(x * y), (1.5, 0.3), "n0 * n1", "mul_"),
    "comparisons of numbers": (lambda x, y: mg.where(x < y, x, y), (1.5, 0.3), "n0 < n1", "less_"),
    "whole numbers": (lambda x, y: x * y, (3, 4), "mul_", "n0"),
    "a counter": (lambda x, y: (x + y) - (x < y), (3, 4), "n0 + n1", "add_"),
    "a counter of another width": (lambda x, y: x + y, (np.int32(3), 4), "add_", "n0"),
    "mixed floats": (lambda x, y: x * y, (np.float32(1.5), 0.1), "mul_", "n0"),
    "product": (
        lambda x, y: x @ y,
        (R.normal(size=(33, 65)), R.normal(size=(65, 17))),
        ".dot",
        "_(",
    ),
    "transposed": (
        lambda x, y: mg.transpose(x) @ mg.transpose(y),
        (R.normal(size=(65, 33)), R.normal(size=(17, 65))),
        "t2.dot(t3)",
        "_(",
    ),
    "rows of one": (
        lambda x, y: x[:, ::2] @ mg.broadcast_to(y, (33, 17)),
        (R.normal(size=(20, 66)), R.normal(size=(1, 17))),
        "matmul_",
        ".dot",
    ),
    "stacks": (
        lambda x, y: x @ y,
        (R.normal(size=(2, 3, 4)), R.normal(size=(4, 5))),
        "matmul_",
        ".dot",
    ),
    "sums": (
        lambda x, y: mg.sum(x, 0) * mg.sum(y, 1, keepdims=True),
        (R.normal(size=(300, 9)), R.normal(size=(9, 300))),
        "add_reduce",
        "sum_",
    ),
}


@pytest.mark.lane
@pytest.mark.parametrize("formula, values, spelled, plain", SPELLINGS.values(), ids=SPELLINGS)
def test_a_quicker_spelling_gives_the_bits_of_the_op(formula, values, spelled, plain):
    with mg.Graph() as graph:
        xs = [mg.placeholder(shape=np.shape(v), dtype=np.asarray(v).dtype) for v in values]
        y = formula(*xs)
    session = mg.Session(graph)
    feeds = dict(zip(xs, values))
    code = "\n".join(line.split("#")[0] for line in session.compile(y, feeds).source.split("\n"))
    assert spelled in code and plain not in code
    expected = mg.Session(graph, optimize=False, backend="numpy").run(y, feeds)
    result = session.run(y, feeds)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def test_names_of_the_learner_reach_the_source_in_comments_only():
    name = "x\n    import os  # \\' \" %s {}"
    with mg.Graph() as graph:
        x = mg.placeholder(name, shape=(2,))
        y = mg.exp(x) + mg.Variable(np.ones(2), name="lambda: 0\r\nboom")
    exe = mg.Session(graph).compile(y, [x])
    assert exe([0.0, 0.0]).tolist() == [2, 2]
    code = "\n".join(line.split("#")[0] for line in exe.source.split("\n"))
    assert "import" not in code and "boom" not in code and len(exe.source.splitlines()) <= 6


def test_an_error_names_the_line_that_made_the_node():
    with mg.Graph() as graph:
        scores = mg.placeholder("scores", shape=(None, 3))
        labels = mg.placeholder("labels", shape=(None,), dtype=int)
        loss = mg.cross_entropy(scores, labels)  # the learner's line
    for options in ({}, {"backend": "numpy"}):
        with pytest.raises(mg.ArgumentError, match="labels range from 0 to 9") as caught:
            mg.Session(graph, **options).run(loss, {scores: np.ones((2, 3)), labels: [0, 9]})
        assert "# the learner's line" in str(caught.value)


def test_compile_takes_inputs_by_name():
    with mg.Graph():
        A, B = mg.placeholder("A", shape=(10,)), mg.placeholder("B", shape=(10,))
        D = B * A + mg.constant(1.0)
        f = mg.compile(D)
        gradients = mg.compile(mg.gradients(mg.sum(D), [A, B]))
    assert f(A=np.ones(10), B=np.full(10, 2.0)).tolist() == [3] * 10
    g_A, g_B = gradients(A=np.ones(10), B=np.full(10, 2.0))
    assert g_A.tolist() == [2] * 10 and g_B.tolist() == [1] * 10
    with pytest.raises(mg.FeedError, match="'C' is not an input"):
        f(C=1)
    with pytest.raises(mg.FeedError, match="B, .* is not fed"):
        f(A=np.ones(10))


def test_an_executable_checks_what_it_is_given():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None,))
        y = x * 2
    session = mg.Session(graph)
    exe = session.compile({"y": y}, {x: np.ones(3)})
    assert exe([1, 2, 3])["y"].tolist() == [2, 4, 6]
    for arrays, text in [
        ((), "the program takes 1 feeds, not 0 arrays"),
        ((np.ones(4),), "not float64"),
        ((np.ones((3, 1)),), "is fed"),
    ]:
        with raises_saying(mg.FeedError, text):
            exe(*arrays)
    with pytest.raises(mg.FeedError, match="a length is unknown"):
        session.compile(y, [x])
    with pytest.raises(mg.ArgumentError, match="no backend 'fortran'"):
        mg.Session(graph, backend="fortran")
    with pytest.raises(mg.ArgumentError, match="no rules 'wild'"):
        mg.Session(graph, rules="wild")


def test_results_of_one_run_survive_the_next():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3,))
        h = mg.exp(x)
        y, view = h * 2, mg.reshape(h, (3, 1))
        w = mg.Variable(np.zeros(3))
        up = mg.assign_add(w, y)
    session = mg.Session(graph)
    first = session.run([y, view, up, w, h], {x: np.zeros(3)})
    session.run([y, view, up, w, h], {x: np.ones(3)})
    assert [r.ravel().tolist() for r in first] == [[2] * 3, [1] * 3, [2] * 3, [0] * 3, [1] * 3]
    assert np.shares_memory(session.run(w), session.variable_values[w.order]) is False


def test_two_threads_may_run_one_program():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(5000,))
        y = mg.sum(mg.exp(mg.sin(x)) * mg.cos(x))
    session, wrong = mg.Session(graph), []
    expected = {k: float(session.run(y, {x: np.full(5000, k)})) for k in (0.0, 1.0)}

    def work(k):
        for _ in range(100):
            if session.run(y, {x: np.full(5000, k)}) != expected[k]:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in expected]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def test_a_graph_that_grows_in_the_loop_is_noticed():
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        session = mg.Session(graph)
        with pytest.warns(UserWarning, match="ops are built inside the loop") as caught:
            for _ in range(25):
                session.run(x * 2.0, {x: 1.0})  # grows here
    assert "grows here" in str(caught[0].message) and len(caught) == 1


def test_non_contiguous_feeds_are_taken():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(3, 2))
        y = mg.reshape(mg.transpose(x) * 1.0, (6,))
    fed = np.arange(6.0).reshape(2, 3).T
    assert mg.Session(graph).run(y, {x: fed}).tolist() == [0, 1, 2, 3, 4, 5]


def test_names_of_numbers_serve_again_in_long_programs():
    with mg.Graph() as graph:
        x, a, b = (mg.placeholder(name) for name in "xab")
        y, kept = x, []
        for turn in range(300):
            y = mg.sin(y * a) + b
            if turn % 50 == 0:
                kept.append(y)
        fetches = [y, *kept, *mg.gradients(y, [x, a, b])]
    feeds = {x: 0.3, a: 0.9, b: 0.2}
    session = mg.Session(graph)
    source = session.compile(fetches, [x, a, b]).source
    names = {line.split(" = ")[0] for line in source.split("\n") if line.startswith("    t")}
    assert len(names) < 0.7 * source.count("\n    t")
    plain = mg.Session(graph, optimize=False, backend="numpy")
    assert [v.item() for v in session.run(fetches, feeds)] == [
        v.item() for v in plain.run(fetches, feeds)
    ]


# values that lie in other values' memory ---------------------------------------------------------

PICKED = {
    "x[1]": (lambda x: mg.exp(x)[1], np.arange(3.0)),
    "x[-1] · 3": (lambda x: (x * 2)[-1] * 3, np.arange(3.0)),
    "x[1][2]": (lambda x: (x * 2)[1][2], np.arange(6.0).reshape(2, 3)),
    "x[1, 2]": (lambda x: mg.tanh(x)[1, 2] * mg.tanh(x)[0, 0], np.arange(6.0).reshape(2, 3)),
    "softmax": (lambda x: -mg.log(mg.softmax(x)[0, 1]), np.ones((1, 2))),
    "reshaped": (lambda x: mg.reshape(mg.tanh(x)[1:2], ()), np.arange(3.0)),
    "squeezed": (lambda x: mg.squeeze(mg.tanh(x).T), np.full((1, 1), 0.5)),
    "gradient": (lambda x: mg.gradients(mg.tanh(x)[0] * mg.tanh(x)[1], [x])[0], np.arange(3.0)),
}


@pytest.mark.parametrize("name", PICKED)
@pytest.mark.parametrize("options", [{}, {"optimize": False}, {"debug": True}, {"rules": "fast"}])
def test_one_entry_of_a_computed_array_is_read_when_it_is_computed(name, options):
    build, a = PICKED[name]
    with mg.Graph() as graph:
        x = mg.placeholder("x", a.shape)
        y = build(x)
        late = mg.sum(mg.exp(mg.sin(x * 3.0) * 2.0))
    expected = mg.Session(graph, optimize=False, backend="numpy").run([y, late], {x: a})
    session = mg.Session(graph, **options)
    for _ in range(2):
        found = session.run([y, late], {x: a})
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-14)
    f = mg.function(lambda x: build(x) if isinstance(x, mg.Node) else None)
    np.testing.assert_allclose(f(a), expected[0], rtol=1e-14)


def test_a_sum_over_a_variable_in_columns_is_one_number():
    columns = np.ones((300, 1000)).T
    with mg.Graph() as graph:
        w, x = mg.Variable(columns), mg.placeholder("x", (1000, 300))
        e = w - x
        loss, step = mg.sum(e * e), mg.group(mg.assign(w, w - 0.1 * e))
    value, _ = mg.Session(graph).run([loss, step], {x: np.zeros((1000, 300))})
    assert value.shape == () and value == 300_000


@pytest.mark.parametrize("backend", ["codegen", "numpy"])
def test_code_of_others_computes_what_it_said(backend):
    bad = mg.custom_op(lambda a: np.array(5.0), infer=lambda a: (a.shape, a.dtype), name="bad")
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        y = bad(x) + 1
        z = mg.scan(lambda c, a: (c, bad(a)), 0.0, mg.reshape(x, (1, 3)))[1]
    for node in (y, z):
        with pytest.raises(mg.ArgumentError, match=r"it computed float64\[\], but"):
            mg.Session(graph, backend=backend).run(node, {x: np.zeros(3)})


def test_two_ops_of_one_name_do_not_meet():
    one, two = (mg.custom_op(f, name="exp") for f in (lambda a: a * 2.0, lambda a: a * 3.0))
    with mg.Graph() as graph:
        x = mg.placeholder("x")
        y = one(x) + two(x) + mg.exp(x * 0)
    assert mg.Session(graph).run(y, {x: 1.0}) == 6


@pytest.mark.parametrize(
    "f",
    [
        lambda x: mg.exp(x),
        lambda x: mg.exp(x[::-1] * 1),
        lambda x: mg.log(mg.flip(mg.flip(x))),
        lambda x: mg.expm1(mg.reshape(x[::-1], (1, 1)).T.reshape(-1)),
        lambda x: x[::-1] ** 0.7,
        lambda x: mg.log1p(mg.reshape(mg.flip(x), (1,)) * 1),
    ],
    ids=range(6),
)
def test_a_single_entry_with_a_negative_stride_gives_the_same_bits_everywhere(f):
    for number in np.random.default_rng(0).uniform(0.1, 3, 50):
        array = np.array([number])[::-1]
        with mg.Graph() as graph:
            x = mg.placeholder("x", (1,))
            zs = [f(x), f(mg.Variable(array)), f(mg.constant(array))]
        right = f(mg.tensor(array)).numpy()
        for options in ({"optimize": False, "backend": "numpy"}, {"optimize": False}, {}):
            for z in mg.Session(graph, **options).run(zs, {x: array}):
                assert z.tobytes() == right.tobytes()
        assert f(mg.tensor(array[::-1])).numpy().tobytes() == right.tobytes()


@pytest.mark.parametrize("reduce", [mg.sum, mg.mean, mg.prod], ids=lambda f: f.__name__)
def test_a_reduction_of_a_view_adds_in_the_same_order_wherever_it_is_written(reduce):
    rng = np.random.default_rng(3)
    for _ in range(20):
        with mg.Graph() as graph:
            x = mg.placeholder("x", (2, 2, 2, 2))
            z = mg.tanh(reduce(x.T, (0, 2)))
        feed = {x: rng.normal(size=x.shape)}
        plain, generated = (
            mg.Session(graph, optimize=False, backend=backend).run(z, feed)
            for backend in ("numpy", "codegen")
        )
        assert plain.tobytes() == generated.tobytes()


SAME_MEMORY = {
    "a view and its transpose": lambda x, y: mg.squeeze(x) @ x.T,
    "one array fed twice": lambda x, y: x @ y.T,
    "a power of what is reversed": lambda x, y: mg.flip(x, 1) ** 3 * 1.5,
    "the slope of what is reversed": lambda x, y: mg.gradients(mg.sum(mg.flip(x, 1) ** 4), [x])[0],
}


@pytest.mark.parametrize("smallest", [1, None], ids=["tiles", "whole"])
@pytest.mark.parametrize("f", SAME_MEMORY.values(), ids=SAME_MEMORY)
def test_bits_do_not_depend_on_where_operands_and_results_lie(f, smallest, monkeypatch):
    if smallest:
        monkeypatch.setattr("minigrad.compiler.fuse.SMALLEST", smallest)
        monkeypatch.setattr("minigrad.compiler.fuse.TILE", 16)
    rng = np.random.default_rng(0)
    for n, m in rng.integers(2, 50, (20, 2)).tolist():
        array = rng.normal(size=(n, m))
        with mg.Graph() as graph:
            x, y = mg.placeholder("x", (n, m)), mg.placeholder("y", (n, m))
            z = f(x, y)
        feeds = {x: array, y: array}
        plain = mg.Session(graph, optimize=False, backend="numpy").run(z, feeds)
        assert mg.Session(graph).run(z, feeds).tobytes() == plain.tobytes()
