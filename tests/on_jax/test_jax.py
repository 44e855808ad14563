"""The same graph on JAX: every op, random programs, loops, training, and what is refused."""

import io
import warnings
from collections import Counter
from contextlib import redirect_stdout, suppress
from functools import partial

import numpy as np
import pytest
from fuzz.check import Judge, moved
from fuzz.drawing import draw_program
from fuzz.table import PICKY
from fuzz.ways import Case, finite, runs
from ops_table import ONE, ROWS, STEPS, TWO, inputs_of
from saying import raises_saying

import minigrad as mg
from minigrad.core.pytree import flatten
from minigrad.static import interpret
from minigrad.static.interpret import apply_node as APPLY_NODE

jax = pytest.importorskip("jax", reason="JAX is not installed")
from minigrad.on_jax import backend  # noqa: E402  it imports JAX

pytestmark = pytest.mark.no_cover
PLAIN = {"optimize": False, "backend": "numpy"}
CHUNK = 24  # cases that are compiled together, which takes less time than one by one


@pytest.fixture(autouse=True)
def compile_in_less_time(monkeypatch):
    """Whether XLA optimises makes no difference here, and takes twice the time."""
    monkeypatch.setitem(backend.OPTIONS, "xla_backend_optimization_level", 0)


def both(graph, fetches, feeds=None, count=1):
    """What the plain interpretation and JAX give in the last of some runs."""
    sessions = mg.Session(graph, **PLAIN), mg.Session(graph, backend="jax")
    return [[s.run(fetches, feeds or {}) for _ in range(count)][-1] for s in sessions]


def is_near(x, y, tolerance=1e-12):
    """True for equal dtypes and shapes, and numbers that differ little beside the largest, or 1."""
    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    x, y = x.astype(float), y.astype(float)
    scale = np.abs(x, where=np.isfinite(x), out=np.ones(x.shape)).max(initial=1)
    with np.errstate(invalid="ignore"):  # inf - inf
        return bool(
            np.all((abs(x - y) <= tolerance * scale) | (x == y) | np.isnan(x) & np.isnan(y))
        )


def assert_same(found, tolerance=1e-12):
    """Every array of the second result is near that of the first."""
    expected, got = (flatten(nest)[0] for nest in found)
    for x, y in zip(expected, got):
        assert is_near(x, y, tolerance), (x, y)


# every op -----------------------------------------------------------------------------------------


def derivatives(y, xs, rng):
    """Both modes, and forward over reverse, for random directions."""
    w = rng.normal(size=y.shape).astype(y.dtype)
    v = [rng.normal(size=x.shape).astype(x.dtype) for x in xs]
    x_bars = mg.gradients(y, xs, w, unconnected="zero")
    y_dots = mg.forward_gradients(y, xs, v, unconnected="zero")
    return [*x_bars, *y_dots, *mg.forward_gradients(x_bars, xs, v, unconnected="zero")]


def graph_of(cases, dtype, derive):
    """(graph, {(name of an op, number of a value): node}, feeds) of cases of the table."""
    nodes, feeds, rng = {}, {}, np.random.default_rng(1)
    with mg.Graph() as graph:
        for row, shapes in cases:
            arrays = [a.astype(dtype) for a in inputs_of(row, shapes)]
            xs = [mg.placeholder(None, a.shape, a.dtype) for a in arrays]
            feeds |= zip(xs, arrays)
            y = row.f(*xs)
            found = [y, *(derivatives(y, xs, rng) if derive and y.dtype.kind == "f" else ())]
            nodes |= {(row.name, shapes, i): node for i, node in enumerate(found)}
    return graph, nodes, feeds


TWO_EACH = [(row, shapes) for row in ROWS for shapes in row.shapes[:2]]


@pytest.mark.parametrize("start", range(0, len(TWO_EACH), CHUNK))
def test_every_op_and_its_derivatives_are_what_they_are_with_numpy(start):
    with np.errstate(all="ignore"):
        expected, got = both(*graph_of(TWO_EACH[start : start + CHUNK], float, True))
    assert [key for key in expected if not is_near(expected[key], got[key])] == []


def test_ops_without_a_derivative():
    steps = [(row, shapes) for row in STEPS for shapes in row.shapes]
    expected, got = both(*graph_of(steps, float, False))
    assert [key for key in expected if not np.array_equal(expected[key], got[key])] == []


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float16, 2e-2)])
def test_narrow_floats_loosely(dtype, tolerance):
    expected, got = both(*graph_of([(row, row.shapes[0]) for row in ROWS], dtype, False))
    assert [key for key in expected if not is_near(expected[key], got[key], tolerance)] == []


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64])
def test_whole_numbers_and_truths_have_numpys_dtypes_and_values(dtype):
    nodes, x = {}, np.array([[1, 0, 3], [2, 5, 7], [4, 1, 1]]).astype(dtype)
    with mg.Graph() as graph:
        node = mg.placeholder("x", x.shape, dtype)
        for row in (*ROWS, *STEPS):
            with suppress(mg.MinigradError):  # there is no such op of this dtype, or shape
                nodes[row.name] = row.f(*[node] * len(row.shapes[0]))
        for other in (np.float32, np.int8, np.uint16):
            nodes["beside", other] = node * np.asarray(3, other)
    with np.errstate(all="ignore"):
        expected, got = both(graph, nodes, {node: x})
    assert len(nodes) > 50
    assert [key for key in nodes if not is_near(expected[key], got[key], 2e-3)] == []


# random programs ----------------------------------------------------------------------------------

FIRST, BLOCKS, BLOCK = 5_000_000, 6, 25


def roundings_may_do_it(case, key, got, expected):
    """True where the plain result moves as far when every operand is moved by a rounding."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(interpret, "apply_node", partial(apply_shaken, rng))
            other = np.asarray(runs(case, mg.Session(case.graph().graph, **PLAIN))[key])
        if np.abs(got - (expected + 0.0)).max() <= 100 * np.abs(other - (expected + 0.0)).max():
            return True
    return False


def apply_shaken(rng, node, arrays):
    """A node's value for operands that are moved by a rounding, or not."""
    moving = [x if isinstance(x, tuple) else moved(np.asarray(x), rng) for x in arrays]
    return APPLY_NODE(node, moving)


def differing(seed, counts):
    """The keys in which a random program differs on JAX; None where it is not meant for it."""
    program = draw_program(seed)
    judge = Judge(program, Counter())
    try:
        judge.oracle_runs()
    except (ValueError, IndexError, TypeError, KeyError, ArithmeticError):
        return []  # no program for NumPy either
    case = Case(program, judge.first)
    got = runs(case, mg.Session(case.graph().graph, backend="jax"))
    counts["programs"] += 1
    found, shaken = [], False
    for key, expected in case.truth().items():
        expected, array = np.asarray(expected), np.asarray(got[key])
        if not is_near(expected, array):
            if roundings_may_do_it(case, key, array, expected):
                shaken = True
            else:
                found.append((seed, key, expected, array))
    counts["badly conditioned"] += shaken
    return found


def asks_for_numbers(program):
    """True where a custom op looks at the numbers of its operand, which JAX refuses by design."""
    return any(step.text == PICKY for step in program.steps)


@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_programs_agree(block):
    counts, found = Counter(), []
    seeds = range(FIRST + block * BLOCK, FIRST + (block + 1) * BLOCK)
    with warnings.catch_warnings(), np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for seed in seeds:
            if finite(draw_program(seed)) and not asks_for_numbers(draw_program(seed)):
                found += differing(seed, counts)
    assert found == []
    assert counts["programs"] > BLOCK / 3 and counts["badly conditioned"] < 2


# where XLA differs, as on_jax/README.md lists it --------------------------------------------------

TINY = 1e-310  # below the smallest normal number


DIFFERENCES = {  # f, x, what NumPy gives, what XLA gives
    "subnormal numbers are 0": (lambda x: x + x, [TINY], [2 * TINY], [0.0]),
    "results that are subnormal": (lambda x: x / 4, [3e-308], [7.5e-309], [0.0]),
    "casts saturate": (lambda x: mg.cast(x, np.int8), [300.0, np.nan], [44, 0], [127, 0]),
}


@pytest.mark.parametrize("cause", DIFFERENCES)
def test_a_listed_difference_is_there(cause):
    f, x, *expected = DIFFERENCES[cause]
    with mg.Graph() as graph:
        node = mg.placeholder("x", len(x))
        z = f(node)
    with np.errstate(all="ignore"):
        found = both(graph, z, {node: np.array(x)})
    for right, got in zip(expected, found):
        np.testing.assert_array_equal(got, right)


def test_the_sign_of_zero_may_differ():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (1,))
        values = [mg.sign(x), mg.remainder(x, 1.0), mg.maximum(0.0, x), mg.minimum(x, 0.0)]
    plain, got = both(graph, values, {x: np.array([-0.0])})
    np.testing.assert_array_equal(plain, got)  # 0 == -0
    assert [np.signbit(z) for z in plain] != [np.signbit(z) for z in got]


SPECIAL = np.array([0.0, 1, -1, 0.5, 2.5, -3, np.inf, -np.inf, np.nan, 1e300, 710, -745, 1e-20])


def test_infinite_numbers_and_nan_are_as_with_numpy_everywhere_else():
    with mg.Graph() as graph:
        x, y = (mg.placeholder(name, SPECIAL.size**2) for name in "xy")
        feeds = dict(zip((x, y), map(np.ravel, np.meshgrid(SPECIAL, SPECIAL))))
        values = {row.name: row.f(x) for row in (*ROWS, *STEPS) if row.shapes is ONE}
        values |= {row.name: row.f(x, y) for row in (*ROWS, *STEPS) if row.shapes[:3] == TWO}
    with np.errstate(all="ignore"):
        plain, got = both(graph, values, feeds)
    assert len(values) > 50
    assert [name for name in values if not is_near(plain[name], got[name])] == []


# variables, draws, prints -------------------------------------------------------------------------


def test_variables_are_read_and_changed_as_in_any_session():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None, 2))
        w, count = mg.Variable(np.ones((2, 2)), "w"), mg.Variable(np.int8(120))
        before = mg.sum(mg.tanh(x @ w))
        step = mg.assign_sub(w, mg.gradients(before, [w])[0])
        after, more = mg.sum(x @ w), mg.assign_add(count, np.int8(3))
    for rows in (1, 3):
        feeds = {x: np.arange(2.0 * rows).reshape(rows, 2)}
        assert_same(both(graph, [before, step, after, more, w], feeds, count=3))


def test_a_variable_that_is_large_is_updated_too():
    with mg.Graph() as graph:
        w = mg.Variable(np.zeros(50_000))
        step = mg.assign(w, 2 * w + 1)
    assert_same(both(graph, [step, mg.sum(w)], count=4))


def test_draws_are_numpys_numbers_bit_for_bit():
    with mg.Graph() as graph:
        key = mg.placeholder("key", (), np.int64)
        x = mg.constant(np.ones((3, 2), np.float32))
        draws = [mg.random_normal((2, 3), 5), mg.random_uniform(4, 5, key=key)]
        draws += [mg.dropout(x, 0.5, seed=2), mg.random_normal((), 7, key=3, dtype=np.float16)]
        carry, rows = mg.scan(
            lambda k, _: (k + 1, mg.random_normal((2,), 9, key=k)), key, None, length=3
        )
    for number in (2, 2**40 + 1):
        plain, got = both(graph, [*draws, carry, rows], {key: number}, count=3)
        for x, y in zip(plain, got):
            np.testing.assert_array_equal(x, y)


def test_prints_come_in_order_at_the_end_of_a_run():
    with mg.Graph() as graph:
        first = mg.print_(mg.constant([1.0, 2.5]), "first ")
        with mg.control_dependencies([first]):
            z = mg.print_(mg.constant(3), "second ") * 2
    with redirect_stdout(io.StringIO()) as text:
        assert mg.Session(graph, backend="jax").run(z) == 6
    assert text.getvalue() == "first [1.  2.5]\nsecond 3\n"


# loops and choices --------------------------------------------------------------------------------


def wait(i, x, limit=None):
    """x with sin added up until it is above 3: how often depends on the numbers."""
    return mg.while_loop(
        lambda i, x: mg.sum(x) < 3.0,
        lambda i, x: (i + 1, x + 0.3 + 0.1 * mg.sin(x)),
        (i, x),
        maximum_iterations=limit,
    )


def derived(f, x):
    """f(x), its gradient, and the derivative of that along ones."""
    y = f(x)
    (x_bar,) = mg.gradients(mg.sum(y), [x])
    (bent,) = mg.forward_gradients([x_bar], [x], [np.ones(x.shape)])
    return [y, x_bar, bent]


LOOPS = {
    "while": lambda x: wait(mg.constant(0), x)[1],
    "while with a limit": lambda x: wait(mg.constant(0), x, 2)[1],
    "while at once over": lambda x: wait(mg.constant(0), x + 9)[1] * x,
    "scan": lambda x: mg.scan(lambda c, r: (c * 0.9 + r, mg.sin(c) * r), mg.constant(1.0), x)[1],
    "scan backwards": lambda x: mg.scan(lambda c, r: (c * r, c), mg.sum(x), x, reverse=True)[0],
    "scan of nothing": lambda x: mg.scan(lambda c, r: (c * r, c), mg.sum(x), x[:0])[0],
    "cond": lambda x: mg.cond(mg.sum(x) > 0, lambda: mg.sin(x), lambda: x * 2),
    "while in scan": lambda x: mg.scan(
        lambda c, r: (c + wait(mg.constant(0), c * r)[1], c), mg.constant(0.5), x
    )[0],
    "while in cond": lambda x: mg.cond(
        mg.sum(x) > 0, lambda: wait(mg.constant(0), x)[1], lambda: x * x
    ),
    "while in while": lambda x: mg.while_loop(
        lambda i, x: i < 4,
        lambda i, x: (i + 1, mg.sin(wait(mg.constant(0), x)[1])),
        (mg.constant(0), x),
    )[1],
    "cond in while": lambda x: mg.while_loop(
        lambda i, x: i < 5,
        lambda i, x: (i + 1, mg.cond(mg.sum(x) > 1, lambda: x * 0.5, lambda: mg.sin(x) + x)),
        (mg.constant(0), x),
    )[1],
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_and_choices_with_two_orders_of_derivatives(name):
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        values = derived(LOOPS[name], x)
    for numbers in ([0.2, 0.3, 0.1], [-0.4, 0.1, -0.2]):
        assert_same(both(graph, values, {x: np.array(numbers)}))


def test_a_loop_longer_than_there_is_room_for_is_compiled_for_more():
    with mg.Graph() as graph:
        n, x = mg.placeholder("n", (), np.int64), mg.placeholder("x", ())
        _, y = mg.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, mg.sin(y)), (0, x))
        values = [y, *mg.gradients(y, [x])]
    plain, session = mg.Session(graph, **PLAIN), mg.Session(graph, backend="jax")
    for count in (3, 200, 64, 65):
        feeds = {n: count, x: 0.8}
        assert_same([plain.run(values, feeds), session.run(values, feeds)])
    (executable,) = session.executables.values()
    assert executable.runner.room == 256


# training -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [mg.optim.Adam, mg.optim.SGD])
def test_a_net_learns_digits_with_the_same_losses(make):
    images, labels, *_ = mg.data.digits()
    images, labels = images[:256], labels[:256]
    mg.nn.manual_seed(0)
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None, images.shape[1]))
        t = mg.placeholder("t", (None,), np.int64)
        net = mg.nn.Sequential(
            mg.nn.Linear(images.shape[1], 32), mg.nn.Tanh(), mg.nn.Linear(32, 10)
        )
        loss = mg.cross_entropy(net(x), t)
        step = make(net.parameters(), lr=0.1 if make is mg.optim.SGD else 0.01).minimize(loss)
    losses = []
    for options in ({}, {"backend": "jax"}):
        session = mg.Session(graph, **options)
        rows = [np.arange(i, i + 64) % 256 for i in range(0, 64 * 20, 64)]
        losses.append([session.run([loss, step], {x: images[r], t: labels[r]})[0] for r in rows])
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-12)
    assert losses[0][-1] < 0.8 * losses[0][0], "it learns, so that the losses are no constant"


# custom ops, and what is refused ------------------------------------------------------------------


def run_custom(**rules):
    """A custom op on three numbers, on JAX."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        z = mg.custom_op(name="mine", **rules)(x)
    return mg.Session(graph, backend="jax").run(z, {x: np.array([0.3, 0.1, 0.2])})


def test_a_custom_op_of_numpy_functions_needs_nothing():
    z = run_custom(compute=lambda x: np.sort(np.sinh(x))[::-1] + np.cumsum(x) / np.linalg.norm(x))
    x = np.array([0.3, 0.1, 0.2])
    right = np.sort(np.sinh(x))[::-1] + np.cumsum(x) / np.linalg.norm(x)
    np.testing.assert_allclose(z, right, rtol=1e-14)


def test_a_custom_op_may_write_into_what_it_made():
    def compute(x):
        z = np.zeros_like(x)
        z[1:] = x[:-1]
        z[0] += 5
        return z

    np.testing.assert_array_equal(run_custom(compute=compute), [5, 0.3, 0.1])


def test_a_custom_op_has_a_counterpart_where_its_code_asks_for_numbers():
    def compute(x):
        return np.array([float(n) * 2 for n in x])

    with pytest.raises(mg.ArgumentError, match="asks for the numbers") as told:
        run_custom(compute=compute, infer=lambda x: (x.shape, x.dtype))
    assert "mine(x: float64[3])" in str(told.value) and "lowerings=" in str(told.value)
    assert "test_jax.py" in str(told.value) and not hasattr(told.value, "__notes__")
    z = run_custom(compute=compute, lowerings={"jax": lambda x: x * 2})
    np.testing.assert_array_equal(z, [0.6, 0.2, 0.4])


REFUSED = {
    "a function that JAX lacks": (lambda x: np.busday_count(x, x), "JAX has no busday_count"),
    "a choice by numbers": (lambda x: x if x.sum() > 0 else -x, "asks for the numbers"),
    "an array of NumPy's": (lambda x: np.asarray(x) + 1, "asks for the numbers"),
    "the memory": (lambda x: x.view(np.int64), "has no view"),
    "another dtype than NumPy's": (lambda x: np.arctan2(x, 1.0).astype(np.float32), "shape rule"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_has_no_counterpart_is_refused_before_anything_runs(why):
    compute, message = REFUSED[why]
    with mg.Graph() as graph:
        w = mg.Variable(np.ones(3))
        op = mg.custom_op(compute, infer=lambda x: (x.shape, np.float64), name="mine")
        values = [mg.print_(mg.assign(w, w + 1)), op(w)]
    session = mg.Session(graph, backend="jax")
    with redirect_stdout(io.StringIO()) as text, raises_saying(mg.MinigradError, message):
        session.run(values)
    assert text.getvalue() == "" and session.runs == 0
    np.testing.assert_array_equal(session.run(w), np.ones(3))


WRONG = {
    "a place": lambda i: mg.constant([1.0, 2.0])[i],
    "a negative place": lambda i: mg.constant([1.0, 2.0])[-i],
    "a label": lambda i: mg.cross_entropy(np.ones((1, 3)), mg.expand_dims(i, 0)),
    "a power": lambda i: mg.constant([2, 3]) ** (4 - i),
    "in a loop": lambda i: mg.scan(lambda c, _: (c + mg.constant([1, 2])[c], c), i, None, length=2),
    "in a branch": lambda i: mg.cond(i > 3, lambda: mg.constant([1, 2])[i], lambda: i),
}


@pytest.mark.parametrize("why", WRONG)
def test_numbers_that_do_not_fit_are_refused_after_the_run_as_with_numpy(why):
    with mg.Graph() as graph:
        i, w = mg.placeholder("i", (), np.int64), mg.Variable(1.0)
        z = WRONG[why](i)
        step = mg.assign(w, w + 1)
    told = []
    for options in (PLAIN, {"backend": "jax"}):
        session = mg.Session(graph, **options)
        with pytest.raises(mg.MinigradError) as error:
            session.run([z, step], {i: 7})
        told.append((type(error.value), str(error.value).split("(")[0], error.value.line))
        assert session.run(w) == 1.0
    assert told[0] == told[1]
    assert_same(both(graph, [z, step], {i: 0}))


def test_a_length_that_only_a_run_tells_is_refused_where_numbers_are_needed():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (3,))
        mg.gradients(mg.sum(wait(mg.constant(0), x)[1]), [x])
        stack = next(n for n in graph.nodes if n.shape == (None, 3))  # the carries that were kept
        values = {"fetched": stack, "summed": mg.sum(stack), "in one row": stack.reshape(-1)}
    for node in values.values():
        with pytest.raises(mg.GraphError, match="only a run tells") as told:
            mg.Session(graph, backend="jax").run(node, {x: np.ones(3)})
        assert "scan" in str(told.value)


@pytest.fixture
def narrow_floats():
    """JAX as it comes, whatever was set in this process before."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.mark.usefixtures("narrow_floats")
def test_what_the_user_set_in_jax_stays_set():
    import jax.numpy as jnp

    with mg.Graph() as graph:
        x = mg.placeholder("x", ())
        z = x / 3
    assert mg.Session(graph, backend="jax").run(z, {x: 1.0}).dtype == np.float64
    assert not jax.config.jax_enable_x64 and jnp.ones(2).dtype == jnp.float32
    assert (jnp.ones(2, jnp.int32) * jnp.ones(2)).dtype == jnp.float32  # not strict


def test_programs_are_kept_for_each_shape_and_say_what_they_are():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (None,))
        z = mg.sum(mg.exp(x))
    session = mg.Session(graph, backend="jax", keep=2)
    for n in (1, 2, 3, 3):
        session.run(z, {x: np.zeros(n)})
    assert session.compiled == 3 and len(session.executables) == 2
    executable = session.compile(z, {x: np.zeros(4)})
    assert "exp" in executable.source and "f64[4]" in executable.source
    assert "\x1b" not in executable.source  # no colours of a terminal
    assert "XLA" in executable.explain()
    results = executable(np.zeros(4))
    results[...] = 0  # an array of the caller's own
    assert executable(np.zeros(4)) == 4
