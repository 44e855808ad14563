"""Every op, from the table: derivatives, shapes and dtypes, in both engines."""

import importlib
import inspect

import numpy as np
import pytest
import slips
from engines import Dynamic, Static, everything
from ops_table import CASES, IDS, ROWS, inputs_of
from saying import raises_saying

import minigrad as mg
from minigrad.core import ops
from minigrad.core.op import Discrete, Elementwise, Linear, Op

fuse = importlib.import_module("minigrad.compiler.fuse")  # the name in the package is the pass
cases = pytest.mark.parametrize("row, shapes", CASES, ids=IDS)


@cases
def test_derivatives_agree_with_difference_quotients_to_second_order(row, shapes):
    numeric = "complex" if row.analytic else "central"
    assert mg.gradcheck(row.f, *inputs_of(row, shapes), order=2, numeric=numeric)


@cases
def test_forward_and_reverse_mode_are_adjoint(row, shapes):
    arrays = inputs_of(row, shapes)
    (y, y_dot, *rest), (w, v) = everything(Dynamic(), row.f, arrays)
    x_bars = rest[: len(arrays)]
    left, right = np.sum(w * y_dot), sum(np.sum(a * b) for a, b in zip(x_bars, v))
    assert left == pytest.approx(right, rel=1e-12, abs=1e-12)


@cases
def test_both_engines_agree_bit_for_bit(row, shapes):
    arrays = inputs_of(row, shapes)
    dynamic, _ = everything(Dynamic(), row.f, arrays)
    static, _ = everything(Static(), row.f, arrays)
    for a, b in zip(dynamic, static, strict=True):
        np.testing.assert_array_equal(a, b)


@cases
def test_optimized_generated_programs_agree_with_plain_ones(row, shapes):
    arrays = inputs_of(row, shapes)
    plain, _ = everything(Static(optimize=False, backend="numpy"), row.f, arrays)
    for options in ({}, {"optimize": False}, {"debug": True}):
        found, _ = everything(Static(**options), row.f, arrays)
        for a, b in zip(found, plain, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-13)


@cases
def test_fused_programs_agree_with_plain_ones(row, shapes, monkeypatch):
    monkeypatch.setattr(fuse, "SMALLEST", 1)
    monkeypatch.setattr(fuse, "TILE", 4)
    arrays = inputs_of(row, shapes)
    plain, _ = everything(Static(optimize=False, backend="numpy"), row.f, arrays)
    for options in ({}, {"debug": True}, {"backend": "numpy"}):
        found, _ = everything(Static(**options), row.f, arrays)
        for a, b in zip(found, plain, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-13)


PLAIN = (
    "add",
    "sub",
    "mul",
    "div",
    "maximum",
    "minimum",
    "where",
    "abs",
    "neg",
    "x / number",
    "number - x",
    "x ** 2",
    "sqrt",
    "mse",
)


@pytest.mark.lane
@pytest.mark.parametrize(
    "row, shapes",
    [(r, s) for r, s in CASES if r.name in PLAIN and s[0]],
    ids=[i for i, (r, s) in zip(IDS, CASES) if r.name in PLAIN and s[0]],
)
def test_machine_code_agrees_with_plain_programs(row, shapes, monkeypatch):
    pytest.importorskip("numba", reason="numba is not installed: nothing to compile kernels with")
    monkeypatch.setattr(fuse, "SMALLEST", 1)
    arrays = inputs_of(row, shapes)
    plain, _ = everything(Static(optimize=False, backend="numpy"), row.f, arrays)
    found, _ = everything(Static(backend="numba"), row.f, arrays)
    for a, b in zip(found, plain, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-13)


@cases
def test_a_node_knows_the_shape_and_dtype_that_is_computed(row, shapes):
    for dtype in (np.float64, np.float32):
        arrays = [a.astype(dtype) for a in inputs_of(row, shapes)]
        engine = Static()
        y = row.f(*engine.inputs(arrays))
        (value,) = engine.numbers([y])
        assert (y.shape, y.dtype) == (value.shape, value.dtype)


@cases
def test_float32_stays_float32_and_so_do_its_derivatives(row, shapes):
    arrays = [a.astype(np.float32) for a in inputs_of(row, shapes)]
    for engine in (Dynamic(), Static()):
        results, _ = everything(engine, row.f, arrays)
        assert {r.dtype for r in results} == {np.dtype(np.float32)}


@pytest.mark.parametrize(
    "row, shapes",
    [(r, s) for r, s in CASES if r.batch and all(s)],
    ids=[i for i, (r, s) in zip(IDS, CASES) if r.batch and all(s)],
)
def test_a_length_may_be_unknown_until_it_is_fed(row, shapes):
    arrays = inputs_of(row, shapes)
    unknown = [(None, *shape[1:]) for shape in shapes]
    static, _ = everything(Static(), row.f, arrays, shapes=unknown)
    dynamic, _ = everything(Dynamic(), row.f, arrays)
    for a, b in zip(static, dynamic, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("row", [r for r in ROWS if ((4,),) in r.shapes], ids=lambda row: row.name)
def test_empty_arrays_pass_through(row):
    if row.name in ("mean", "var", "std", "max", "min", "logsumexp"):
        for engine in (Dynamic(), Static()):
            with pytest.raises(mg.ShapeError, match="no entries"):
                engine.numbers([row.f(*engine.inputs([np.zeros((0, 3))]))])
        return
    dynamic, _ = everything(Dynamic(), row.f, [np.zeros((0, 3))])
    static, _ = everything(Static(), row.f, [np.zeros((0, 3))])
    assert [a.shape for a in dynamic] == [b.shape for b in static]
    assert dynamic[2].shape == (0, 3) and dynamic[0].shape in ((0, 3), ())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_powers_that_are_rewritten_have_the_bits_of_what_takes_their_place(dtype):
    x = np.random.default_rng(0).normal(size=5000).astype(dtype)
    for n, expected in ((1, x), (1.0, x), (2, x * x), (2.0, x * x)):
        power = mg.tensor(x) ** n
        assert power.dtype == dtype and power.numpy().tobytes() == expected.tobytes()


def test_a_whole_and_a_float_power_of_integers_differ_in_dtype():
    with mg.Graph() as graph:
        x = mg.placeholder("x", dtype=int)
        powers = [x**2, x**2.0, x**2]
    assert [p.dtype for p in powers] == [int, float, int]
    assert [v.dtype for v in mg.Session(graph).run(powers, {x: 3})] == [int, float, int]


def test_every_slip_in_a_rule_is_found():
    count, missed = slips.run()
    assert (count > 140, missed) == (True, [])


def test_every_op_has_a_row():
    used = set()
    for row in ROWS:
        engine = Static()
        arrays = inputs_of(row, row.shapes[0])
        mg.gradients(
            row.f(*engine.inputs(arrays)),
            engine.placeholders,
            np.ones(np.shape(row.f(*map(mg.tensor, arrays)))),
            unconnected="zero",
        )
        used |= {node.op for node in engine.placeholders[0].graph.nodes}
    written = {
        op
        for family in vars(ops).values()
        if inspect.ismodule(family)
        for op in vars(family).values()
        if inspect.isclass(op) and issubclass(op, Op) and hasattr(op, "compute")
    }
    only_when_lengths_are_unknown = {
        ops.arrange.MergeAxes,
        ops.shape.BroadcastLike,
        ops.shape.EnsureShape,
        ops.shape.ReshapeLike,
        ops.reduce.SumLike,
    }
    without_derivative = {op for op in written if not op.differentiable}
    assert written - used - without_derivative == only_when_lengths_are_unknown


def test_a_cast_passes_derivatives_and_detach_does_not():
    x = np.array([1.0, 2.0])
    for engine in (Dynamic(), Static()):
        (t,) = engine.inputs([x])
        (narrow,) = mg.gradients(mg.sum(mg.cast(t, np.float32) * 3), [t])
        (kept,) = mg.gradients(mg.sum(t * (t * 2).detach()), [t])
        narrow, kept = engine.numbers([narrow, kept])
        assert (narrow.tolist(), narrow.dtype, kept.tolist()) == ([3, 3], np.float64, [2, 4])
        assert mg.cast(t, float) is t
        with pytest.raises(mg.GradientError, match="only floats have derivatives"):
            mg.gradients(mg.cast(t, int), [t])


COMPARISONS = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_give_booleans_and_no_gradient(name):
    x, y = np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])
    for engine in (Dynamic(), Static()):
        a, b = engine.inputs([x, y])
        z = COMPARISONS[name](a, b)
        (value,) = engine.numbers([z])
        np.testing.assert_array_equal(value, COMPARISONS[name](x, y))
        with pytest.raises(mg.GradientError, match="only floats have derivatives"):
            mg.gradients(z, [a])


def test_discrete_functions_of_arrays():
    x = np.array([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]])
    for engine in (Dynamic(), Static()):
        (t,) = engine.inputs([x])
        assert [v.tolist() for v in engine.numbers([mg.argmax(t), mg.cast(t, int)])] == [
            [1, 0],
            x.astype(int).tolist(),
        ]


KINKS = [
    (mg.relu, 0.0, 0.0),
    (mg.abs, 0.0, 0.0),
    (mg.sqrt, 0.0, 0.0),
    (lambda x: mg.maximum(x, 0.0), 0.0, 0.0),
    (lambda x: mg.maximum(0.0, x), 0.0, 1.0),
    (lambda x: mg.minimum(x, 0.0), 0.0, 0.0),
    (lambda x: mg.clip(x, 0.0, 1.0), 0.0, 1.0),
    (lambda x: x**0, 0.0, 0.0),
    (lambda x: x**2, 0.0, 0.0),
    (lambda x: x**1, 0.0, 1.0),
    (lambda x: mg.max(mg.stack([x, x, -x])), 0.0, 1 / 3),
    (lambda x: 0.0**x, 2.0, 0.0),
    (lambda x: mg.sqrt(x * x), 0.0, 0.0),
]


@pytest.mark.parametrize("f, at, slope", KINKS)
def test_the_slope_at_a_kink_is_the_one_documented_in_both_modes(f, at, slope):
    for engine in (Dynamic(), Static()):
        (x,) = engine.inputs([np.array(at)])
        y = f(x)
        found = engine.numbers([*mg.gradients(y, [x]), *mg.forward_gradients(y, [x], [1.0])])
        assert found == [pytest.approx(slope), pytest.approx(slope)]


def test_lists_and_numbers_mix_with_values_of_both_engines():
    x = np.array([1.0, 2.0])
    for engine in (Dynamic(), Static()):
        (t,) = engine.inputs([x])
        added = [3, 4] + t  # noqa: RUF005  no list, but the sum of two values
        found = engine.numbers([mg.where([True, False], t, 0.0), added, mg.maximum(1.5, t)])
        assert [v.tolist() for v in found] == [[1, 0], [4, 6], [1.5, 2]]
        with pytest.raises(mg.ShapeError, match="lengths 2 and 3 do not broadcast"):
            mg.where([True, False, True], t, 0.0)


def test_an_index_that_repeats_adds_up():
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (x[[0, 2, 0, 0]] * mg.tensor([1.0, 10.0, 100.0, 1000.0])).sum().backward()
    assert x.grad.numpy().tolist() == [1101.0, 0.0, 10.0]


def test_ops_of_plain_arrays_are_numpys():
    x = np.linspace(0.1, 1, 6).reshape(2, 3)
    np.testing.assert_array_equal(mg.exp(x), np.exp(x))
    np.testing.assert_array_equal(mg.sum(x, axis=1), x.sum(axis=1))
    np.testing.assert_array_equal(mg.concatenate([x, x], 1), np.concatenate([x, x], 1))
    assert mg.sum([1, 2, 3]) == 6 and mg.maximum(2, 3) == 3


def test_numpy_functions_of_tensors_are_ops():
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    assert np.exp(x).op is ops.elementwise.Exp
    assert (np.ones(2) @ x).requires_grad and (np.float64(2) - x).numpy().tolist() == [1.0, 0.0]
    with pytest.raises(mg.ArgumentError, match="np.arctan has no derivative rule"):
        np.arctan(x)


def test_softmax_and_logsumexp_do_not_overflow():
    big = np.array([[1000.0, 1001.0, -1000.0]])
    assert mg.logsumexp(big) == pytest.approx(1001 + np.log1p(np.exp(-1)))
    assert mg.softmax(big).sum() == pytest.approx(1)
    assert mg.sigmoid(np.array([-1000.0, 1000.0])).tolist() == [0.0, 1.0]
    assert mg.logsumexp(np.array([-np.inf, -np.inf])) == -np.inf


def test_kinds_of_ops_say_how_their_derivatives_are_told():
    assert issubclass(ops.elementwise.Exp, Elementwise) and issubclass(ops.reduce.Sum, Linear)
    assert issubclass(ops.reduce.ArgMax, Discrete)
    assert ops.elementwise.Mul.values_read([True, False]) == {1}
    assert ops.elementwise.Exp.values_read([True]) == {"z"}
    assert ops.index.GetItem.values_read([True, False, False]) == {1, 2}
    assert ops.elementwise.Add.values_read([True, True]) == set()
    assert ops.reduce.Sum.values_read([True]) == set()


@np.errstate(all="ignore")
def values_that_matter(node, sensitive, rng):
    """The places whose numbers change the cotangents of a node's `sensitive` operands."""
    arrays = [
        rng.uniform(-1, 2, x.shape)
        if x.dtype.kind == "f"
        else rng.integers(0, 2, x.shape).astype(x.dtype)
        for x in node.inputs
    ]
    z = np.asarray(node.op.compute(*arrays, **node.params))
    z_bar = rng.normal(size=z.shape)

    def cotangents(xs, z):
        found = node.op.pullback(xs, z, z_bar, sensitive, node.params)
        return [np.array(x_bar) for x_bar in found if x_bar is not None]

    before, found = cotangents(arrays, z), set()
    for place in [*range(len(arrays)), "z"]:
        for _ in range(8):
            xs, other = list(arrays), z
            old = z if place == "z" else arrays[place]
            new = (
                rng.uniform(-1, 2, old.shape)
                if old.dtype.kind == "f"
                else (rng.integers(0, 2, old.shape).astype(old.dtype))
            )
            if place == "z":
                other = new
            else:
                xs[place] = new
            after = cotangents(xs, other)
            if not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, after)):
                found.add(place)
    return found


def test_a_formula_that_generated_code_does_not_know_is_refused():
    def define(formula):
        return type(Elementwise)("Ceil", (Elementwise,), {"formula": formula})

    assert define("({type}(0) if abs({0}) < 1e5 else sqrt({0}))").verb == "ceil"
    message = (
        "formula of Ceil contains ceil, floor(.|\n)*call only abs, exp, (.|\n)*leave the formula"
    )
    with raises_saying(mg.ArgumentError, message):
        define("ceil(floor({0}))")


def test_what_rules_read_is_what_they_say():
    """Each rule runs on numbers that are changed one by one: what matters is what it declares."""
    seen, rng = {}, np.random.default_rng(0)
    for row, shapes in CASES:
        with mg.Graph() as graph:
            xs = [mg.placeholder(shape=shape) for shape in shapes]
            row.f(*xs)
        for node in graph.nodes:
            if not node.inputs or not node.op.differentiable or node.op.reads is None:
                continue
            for place, x in enumerate(node.inputs):
                if x.dtype.kind != "f" or place and issubclass(node.op, Linear):
                    continue
                wanted = [place == i for i in range(len(node.inputs))]
                matter = values_that_matter(node, wanted, rng)
                said = node.op.values_read(wanted)
                assert matter <= said, (node, place, matter, said)
                seen.setdefault((node.op, place, frozenset(said)), set()).update(matter)
    assert len({op for op, *_ in seen}) > 40
    second_order = {(ops.elementwise.Power, 1, frozenset({0, 1, "z"}))}  # where x is 0, y says it
    assert {key for key, matter in seen.items() if set(key[2]) != matter} == second_order


def test_log_softmax_of_large_scores_keeps_its_digits():
    x = np.array([[0.5, 2.0, -1.0]])
    for far in (2.0**40, -(2.0**40)):  # so that all of x + far are exact
        assert mg.log_softmax(x + far).tolist() == mg.log_softmax(x).tolist()
        assert mg.log_softmax(np.float32(x) + np.float32(2**16)) == pytest.approx(
            mg.log_softmax(x), rel=1e-6
        )
    w, v = np.array([[1.0, -2.0, 0.5]]), np.array([[3e6, 3e6 + 1.0, 3e6 + 5.0]])
    p = mg.softmax(x).ravel()
    slope = mg.hvp(lambda t: mg.sum(w * mg.log_softmax(t + 2.0**25)), x, v)
    curve = -w.sum() * (p * (v - p @ v.T) ** 2).sum()
    assert (slope * v).sum().item() == pytest.approx(curve, rel=1e-3)
