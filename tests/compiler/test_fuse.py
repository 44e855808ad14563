"""Fusion: which nodes form a kernel, and that tiles change no bit."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.compiler import kernel
from minigrad.compiler.fuse import SMALLEST, TILE, Kernel

N = SMALLEST + 37  # the last tile is not full


def compiled(build, *shapes, **options):
    """(Executable, plain Executable, inputs) of build(x, y, …)."""
    with mg.Graph() as graph:
        xs = [mg.placeholder(f"x{i}", shape=shape) for i, shape in enumerate(shapes)]
        fetches = build(*xs)
    arrays = [np.random.default_rng(i).normal(size=shape) for i, shape in enumerate(shapes)]
    plain = mg.Session(graph, optimize=False, backend="numpy").compile(fetches, xs)
    return mg.Session(graph, **options).compile(fetches, xs), plain, arrays


def kernels(exe):
    return [n for n in exe.program.nodes() if n.op is Kernel]


def test_multiply_and_add_are_one_kernel():
    exe, plain, arrays = compiled(lambda a, b: b * a + 1, (N,), (N,))
    (fused,) = kernels(exe)
    assert repr(fused.params["body"]) == "mul → add" and len(exe.program.nodes()) == 4
    assert "2 ops in one kernel: mul → add" in exe.explain()
    np.testing.assert_array_equal(exe(*arrays), plain(*arrays))
    assert exe.plan.peak_bytes == 0 and plain.plan.naive_bytes == 8 * N


PROGRAMS = {
    "broadcast row and number": (lambda x, b, c: mg.tanh(x * b + c) * x, (N, 3), (3,), ()),
    "column": (lambda x, c: mg.exp(-x * x) * c + c, (350, 400), (350, 1)),
    "booleans": (lambda x, y: mg.where(x > y, mg.abs(x), y * 2.0) - 1.0, (N,), (N,)),
    "views": (lambda x: mg.exp(mg.transpose(x) * 2.0) + mg.transpose(x), (400, 350)),
    "powers": (lambda x: (x**2 + x**3) * mg.sigmoid(x), (N,)),
    "a number in front": (lambda x, c: (c * c) * x + mg.sin(c), (N,), ()),
}


@pytest.mark.parametrize("build, shapes", [(p[0], p[1:]) for p in PROGRAMS.values()], ids=PROGRAMS)
def test_tiles_change_no_bit(build, shapes):
    exe, plain, arrays = compiled(build, *shapes)
    assert kernels(exe)
    for _ in range(2):
        np.testing.assert_array_equal(exe(*arrays), plain(*arrays))


def test_a_group_spans_forward_and_backward_and_needs_no_array():
    def slope(x):
        h = x
        for _ in range(50):
            h = mg.tanh(h * 0.9 + 0.1)
        return mg.gradients(mg.sum(h), [x])[0]

    exe, plain, arrays = compiled(slope, (N,))
    assert len(kernels(exe)) == 1 and exe.plan.peak_bytes == 0
    assert plain.plan.naive_bytes > 100 * 8 * N
    np.testing.assert_array_equal(exe(*arrays), plain(*arrays))


def test_a_kernel_may_have_several_results():
    exe, plain, arrays = compiled(lambda x: [mg.exp(x), mg.sin(mg.exp(x)) * 2], (N,))
    assert [repr(k.params["body"]) for k in kernels(exe)] == ["exp → sin → mul"]
    for _ in range(2):
        for a, b in zip(exe(*arrays), plain(*arrays)):
            np.testing.assert_array_equal(a, b)
    exe, plain, arrays = compiled(lambda x: mg.sum(mg.exp(x)) + mg.exp(x) * 2, (N,), debug=True)
    assert sorted(repr(k.params["body"]) for k in kernels(exe)) == ["exp → sum → mul"]
    np.testing.assert_array_equal(exe(*arrays), plain(*arrays))


def test_value_and_gradient_come_from_one_kernel_without_arrays_for_what_lies_between():
    def both(x):
        u = x * 2.0 + 1.0
        w = mg.maximum(u * x - 0.5, 0.0) + x**2
        z = u / (1 + w**2)
        y = mg.sum(z * w)
        return [y, *mg.gradients(y, [x])]

    exe, plain, arrays = compiled(both, (N,))
    assert len(kernels(exe)) == 1 and exe.plan.naive_bytes == 0
    for a, b in zip(exe(*arrays), plain(*arrays)):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(N,), (10 * N + 3,), (301, 502), (70, 31, 64), (2, 3 * N)])
@pytest.mark.parametrize("backend", ["codegen", pytest.param("numba", marks=pytest.mark.lane)])
def test_a_sum_in_a_kernel_adds_in_the_order_of_numpys(shape, dtype, backend):
    if backend == "numba":
        pytest.importorskip("numba", reason="numba is not installed")
    x0 = (np.random.default_rng(0).normal(size=shape) * 30).astype(dtype)
    with mg.Graph() as graph:
        x, half = mg.placeholder("x", shape=shape, dtype=dtype), mg.constant(dtype(0.5))
        turned = mg.placeholder("turned", shape=shape[::-1], dtype=dtype)
        y = x * half + 1
        fetches = [mg.sum(y * y), mg.sum(y), mg.exp(-y), mg.sum(mg.transpose(turned) * half + 1)]
    feeds = {x: x0, turned: np.ascontiguousarray(x0.T)}
    exe = mg.Session(graph, backend=backend).compile(fetches, feeds)
    assert all("sum" in repr(k.params["body"]) for k in kernels(exe))
    plain = mg.Session(graph, optimize=False, backend="numpy").compile(fetches, feeds)
    for value, expected in zip(exe(*feeds.values()), plain(*feeds.values()), strict=True):
        np.testing.assert_array_equal(value, expected)


@pytest.mark.parametrize("rows", [128, 1000, 8192, 50_000])
def test_up_to_numpy_2_2_the_pieces_of_a_sum_end_where_a_buffer_ends(monkeypatch, rows):
    monkeypatch.setattr(kernel, "BUFFERED", True)
    x = np.random.default_rng(0).normal(size=20_001)
    pieces = list(kernel.pieces_of_sum(len(x), rows))
    assert {8192, 16_384, 20_001} <= {stop for _, stop in pieces}
    sums = ([np.add.reduce(x[slice(*piece)])] for piece in pieces)
    buffers = [np.add.reduce(part) for part in (x[:8192], x[8192:16_384], x[16_384:])]
    assert kernel.add_pieces(sums, len(x), rows) == [sum(buffers)]


def test_a_sum_of_part_of_the_entries_stays_outside():
    exe, *_ = compiled(lambda x: mg.sum(x * 2.0 + 1.0, axis=0), (400, 350))
    assert [repr(k.params["body"]) for k in kernels(exe)] == ["mul → add"]
    exe, *_ = compiled(lambda x, b: mg.sum(x * 2.0 + b), (400, 350), (350,))
    assert [repr(k.params["body"]) for k in kernels(exe)] == ["mul → add"]


def test_a_sum_stays_outside_where_a_copy_of_an_operand_may_have_other_bits():
    """Of sin, whose bits go by how its operand lies, and not of a product, nor of rows."""
    summed = {
        "sin → sum": lambda x: mg.sum(mg.sin(x)),
        "mul → sum": lambda x: mg.sum(x.T * 2.0),
        "": lambda x: mg.sum(mg.sin(x.T)),
    }
    for body, build in summed.items():
        exe, plain, xs = compiled(build, (400, 350))
        assert [repr(k.params["body"]) for k in kernels(exe)] == [body] * bool(body)
        np.testing.assert_array_equal(exe(*xs), plain(*xs))


def test_updates_of_variables_are_results_of_kernels():
    with mg.Graph() as graph:
        w, v = mg.Variable(np.ones(N)), mg.Variable(np.zeros(N))
        g = mg.exp(-w)
        step = mg.group(mg.assign(v, 0.9 * v + g), mg.assign(w, w - 0.1 * (0.9 * v + g)))
    fast, plain = mg.Session(graph), mg.Session(graph, optimize=False, backend="numpy")
    for _ in range(3):
        fast.run(step), plain.run(step)
        for variable in (w, v):
            np.testing.assert_array_equal(fast.run(variable), plain.run(variable))
    exe = fast.compile(step)
    assert len(kernels(exe)) == 1 and exe.plan.peak_bytes == 0


def test_groups_do_not_close_over_what_leaves_and_comes_back():
    exe, plain, arrays = compiled(
        lambda x: mg.exp(x) * mg.sum(mg.exp(x) + 1.0) + mg.flip(mg.exp(x) * 2.0), (N,)
    )
    assert len(kernels(exe)) == 2
    np.testing.assert_array_equal(exe(*arrays), plain(*arrays))


def test_what_is_small_or_random_stays_outside():
    assert not kernels(compiled(lambda x: mg.exp(x) * 2, (TILE,))[0])
    noise, *_ = compiled(lambda x: x + mg.random_normal((N,), 1) * 2, (N,))
    assert [repr(k.params["body"]) for k in kernels(noise)] == ["mul → add"]


def test_a_kernel_may_overwrite_an_input_that_dies():
    exe, plain, (a,) = compiled(
        lambda x: mg.sum(mg.exp(mg.flip(mg.exp(x)) * 2.0) @ np.ones((N // 4, 1))), (4, N // 4)
    )
    np.testing.assert_array_equal(exe(a), plain(a))
    poisoned, *_ = compiled(
        lambda x: mg.sum(mg.exp(mg.exp(x) @ np.eye(300) * 2.0 + 1.0)), (300, 300), debug=True
    )
    x = np.zeros((300, 300))
    assert poisoned(x) == pytest.approx(90_000 * np.exp(3))


@pytest.mark.lane
@pytest.mark.parametrize("build, shapes", [(p[0], p[1:]) for p in PROGRAMS.values()], ids=PROGRAMS)
def test_machine_code_changes_no_bit_and_fallbacks_say_why(build, shapes):
    pytest.importorskip("numba", reason="numba is not installed: nothing to compile kernels with")
    exe, plain, arrays = compiled(build, *shapes, backend="numba")
    np.testing.assert_array_equal(exe(*arrays), plain(*arrays))
    native = [k.params["body"].native for k in kernels(exe)]
    assert len([n for n in native if n is None]) == len(exe.runner.fallbacks)
    assert all("would be slower in numba" in f and f in exe.explain() for f in exe.runner.fallbacks)


@pytest.mark.lane
def test_plain_arithmetic_becomes_machine_code():
    pytest.importorskip("numba", reason="numba is not installed: nothing to compile kernels with")
    exe, plain, arrays = compiled(
        lambda x, y: mg.where(x > y, x / y, -x) * 3.0 + mg.maximum(x, y) - mg.abs(y) / (x * x),
        (N,),
        (N,),
        backend="numba",
    )
    assert exe.runner.fallbacks == [] and all(k.params["body"].native for k in kernels(exe))
    arrays[0][:4], arrays[1][:4] = [0.0, -0.0, np.inf, np.nan], [0.0, 0.0, 1.0, 1.0]
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(exe(*arrays), plain(*arrays))


@pytest.mark.lane
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fast_rules_take_relu_into_machine_code_and_safe_ones_leave_it_with_numpy(dtype):
    pytest.importorskip("numba", reason="numba is not installed: nothing to compile kernels with")
    array = np.random.default_rng(0).normal(size=2 * N).astype(dtype)
    array[:4] = [0.0, np.inf, -np.inf, np.nan]
    with mg.Graph() as graph:
        x = mg.placeholder("x", array.shape, array.dtype)
        y = mg.relu(x * 2.0 + 1.0) * x
    with np.errstate(all="ignore"):
        plain = mg.Session(graph, optimize=False, backend="numpy").run(y, {x: array})
    for rules, calls in (("fast", 1), ("safe", 3)):
        exe = mg.Session(graph, backend="numba", rules=rules).compile(y, [x])
        (fused,) = kernels(exe)
        assert len(fused.params["body"].native) == calls
        with np.errstate(all="ignore"):
            found = exe(array)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, plain)


@pytest.mark.lane
def test_without_numba_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    with pytest.raises(mg.ArgumentError, match="needs numba, which is not installed"):
        compiled(lambda x: x * 2.0 + 1.0, (N,), backend="numba")


def test_a_kernel_writes_over_no_input_that_it_reads_through_a_view_as_well():
    with mg.Graph() as graph:
        x = mg.placeholder("x", (500, 500))
        y = x @ x
        z = mg.sum(mg.tanh(y * 2.0 + mg.transpose(y) * 3.0), axis=0)
    array = np.random.default_rng(0).normal(size=(500, 500)) / 500
    plain = mg.Session(graph, optimize=False, backend="numpy").run(z, {x: array})
    np.testing.assert_array_equal(mg.Session(graph).run(z, {x: array}), plain)


def test_what_prints_keeps_its_order_around_a_kernel(capsys):
    with mg.Graph() as graph:
        x = mg.placeholder("x", (N,))
        once = mg.print_(x, "first") + mg.sum(mg.print_(mg.tanh(x), "then"))
        y = once + mg.print_(x, "last")
        results = [y, *mg.gradients(mg.sum(y), [x])]
    found = mg.Session(graph).run(results, {x: np.ones(N)})
    printed = capsys.readouterr().out
    plain = mg.Session(graph, optimize=False, backend="numpy").run(results, {x: np.ones(N)})
    assert printed == capsys.readouterr().out and printed.index("then") < printed.index("last")
    np.testing.assert_array_equal(found, plain)
