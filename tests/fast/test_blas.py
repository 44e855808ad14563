"""Products added to arrays in one call of BLAS: when, how near, and where it must not be."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.fast.blas import SMALLEST, AddProduct

pytest.importorskip("scipy", reason="SciPy is not installed")
pytestmark = pytest.mark.lane
ROWS, COLUMNS = 128, SMALLEST // 128 + 1


def compiled(build, shapes, dtype=np.float64, rules="fast"):
    """(Executable, arrays, what a plain run gives) of build(placeholders…)."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    with mg.Graph() as graph:
        xs = [mg.placeholder(f"x{i}", a.shape, a.dtype) for i, a in enumerate(arrays)]
        y = build(*xs)
    plain = mg.Session(graph, optimize=False, backend="numpy").run(y, dict(zip(xs, arrays)))
    return mg.Session(graph, rules=rules).compile(y, xs), arrays, plain


def added(executable):
    """How many steps add a product."""
    return sum(n.op is AddProduct for n in executable.program.nodes())


FORMS = {
    "minus": (lambda w, x, y: w - 0.5 * (x @ y), (ROWS, 7), (7, COLUMNS)),
    "plus": (lambda w, x, y: w + (x @ y) * 3.0, (ROWS, 7), (7, COLUMNS)),
    "first turned": (lambda w, x, y: w - 0.5 * (x.T @ y), (7, ROWS), (7, COLUMNS)),
    "second turned": (lambda w, x, y: w - 0.5 * (x @ y.T), (ROWS, 7), (COLUMNS, 7)),
    "both turned": (lambda w, x, y: w - 0.5 * (x.T @ y.T), (7, ROWS), (COLUMNS, 7)),
    "one column": (lambda w, x, y: w - 0.5 * (x @ y), (ROWS, 1), (1, COLUMNS)),
}


@pytest.mark.parametrize("dtype, near", [(np.float64, 1e-14), (np.float32, 1e-5)])
@pytest.mark.parametrize("build, x, y", FORMS.values(), ids=FORMS)
def test_the_sum_is_that_of_two_steps_up_to_rounding(build, x, y, dtype, near):
    executable, arrays, plain = compiled(build, [(ROWS, COLUMNS), x, y], dtype)
    assert added(executable) == 1
    before = [a.copy() for a in arrays]
    for _ in range(2):
        found = executable(*arrays)
        np.testing.assert_allclose(found, plain, rtol=near, atol=near)
        assert found.dtype == dtype
    assert all((a == b).all() for a, b in zip(arrays, before))


@pytest.mark.parametrize(
    "build, shape",
    [
        (lambda w, x, y: w - 0.5 * (x @ y), (2, 3)),
        (lambda w, x, y: [w - 0.5 * (x @ y), mg.sum(x @ y)], (ROWS, COLUMNS)),
        (lambda w, x, y: (p := 0.5 * (x @ y), w - p)[0] + mg.exp(w - p), (ROWS, COLUMNS)),
        (lambda w, x, y: w - mg.sum(w) * (x @ y), (ROWS, COLUMNS)),
    ],
    ids=["small", "product used twice", "scaled product used twice", "no constant"],
)
def test_what_it_is_not_for_stays(build, shape):
    executable, *_ = compiled(build, [shape, (shape[0], 7), (7, shape[1])])
    assert added(executable) == 0


def test_safe_rules_leave_two_steps_and_every_bit():
    executable, arrays, plain = compiled(
        FORMS["minus"][0], [(ROWS, COLUMNS), *FORMS["minus"][1:]], rules="safe"
    )
    assert added(executable) == 0
    np.testing.assert_array_equal(executable(*arrays), plain)


def test_an_update_is_written_over_the_variable():
    rng = np.random.default_rng(0)
    start, a = rng.normal(size=(ROWS, COLUMNS)), rng.normal(size=(9, ROWS))
    b = rng.normal(size=(9, COLUMNS))
    with mg.Graph() as graph:
        w = mg.Variable(start)
        x, y = mg.placeholder("x", a.shape), mg.placeholder("y", b.shape)
        step = mg.group(mg.assign(w, w - 0.1 * (x.T @ y)))
    session = mg.Session(graph, rules="fast")
    executable = session.compile(step, [x, y])
    assert added(executable) == 1 and executable.in_place
    expected = start.copy()
    for _ in range(3):
        executable(a, b)
        expected -= 0.1 * (a.T @ b)
    np.testing.assert_allclose(session.run(w), expected, rtol=1e-12)
    assert (w.initial == start).all()


def test_a_square_product_with_the_variable_itself_needs_the_present_value():
    start = np.random.default_rng(0).normal(size=(200, 200)) / 200
    with mg.Graph() as graph:
        w = mg.Variable(start)
        step = mg.group(mg.assign(w, w - 0.5 * (w @ w)))
    session = mg.Session(graph, rules="fast")
    executable = session.compile(step, [])
    assert added(executable) == 1 and not executable.in_place
    executable()
    np.testing.assert_allclose(session.run(w), start - 0.5 * (start @ start), rtol=1e-10)


@pytest.mark.parametrize(
    "build",
    [
        lambda w: w - 0.5 * (w @ w),
        lambda w: w + (w.T @ w) * 0.5,
        lambda w: w - 0.5 * (mg.tanh(w.T) @ w),
        lambda w: w.T - 0.5 * (w @ w),
    ],
    ids=["both factors", "a view and itself", "one factor", "a view of the factors"],
)
def test_a_value_that_is_a_factor_too_is_not_written_over(build):
    executable, arrays, plain = compiled(
        lambda x: mg.tanh(build(mg.sin(x))), [(ROWS * 9, ROWS * 9)]
    )
    assert added(executable) == 1
    np.testing.assert_allclose(executable(*arrays), plain, rtol=1e-9, atol=1e-9)
