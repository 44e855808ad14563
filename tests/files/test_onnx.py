"""ONNX files, executed by onnxruntime to the values that a Session computes."""

import numpy as np
import pytest
from machine_made import DTYPES, machine_made
from ops_table import CASES, IDS, inputs_of
from saying import raises_saying

import minigrad as mg
from minigrad.files.writing import find_written

pytest.importorskip("onnx", reason="the extra onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

NO_COUNTERPART = {
    "logaddexp",
    "logaddexp broadcast",
    "roll",
    "roll flat",
    "sort",
    "sort 0",
    "sort flat",
    "diag",
    "diag off",
    "take_along_axis stretched",
    "custom op",
    "directions of ties",
    "dropout",
    "x[integers, integers]",
    "einsum ii->i",
    "einsum ii",
    "einsum iij,jk->ki",
}  # a diagonal is picked by two arrays of indices
TABLE = [(c, i) for c, i in zip(CASES, IDS) if c[0].name not in NO_COUNTERPART]


def executed(path, outputs, feeds, session=None):
    """What onnxruntime computes from the saved file, {name of an output: array}."""
    mg.save(path, outputs, session)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    runtime = onnxruntime.InferenceSession(
        path.read_bytes(), options, providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in runtime.get_outputs()]
    return dict(zip(names, runtime.run(names, {x.name: a for x, a in feeds.items()})))


def agree(path, outputs, feeds):
    """Asserts that both give the same for {name: node}, in shape, dtype and value."""
    session = mg.Session(next(iter(outputs.values())).graph)
    found, expected = executed(path, outputs, feeds, session), session.run(outputs, feeds)
    assert set(found) == set(outputs)
    for name, array in expected.items():
        assert (found[name].shape, found[name].dtype) == (array.shape, array.dtype)
        np.testing.assert_allclose(found[name], array, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("case", [c for c, _ in TABLE], ids=[i for _, i in TABLE])
def test_the_ops_have_the_same_values(case, tmp_path):
    row, shapes = case
    arrays = inputs_of(row, shapes)
    with mg.Graph():
        xs = [mg.placeholder(f"x{i}", a.shape) for i, a in enumerate(arrays)]
        y = row.f(*xs)
    agree(tmp_path / "net.onnx", {"y": y}, dict(zip(xs, arrays)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_convolutional_net_of_any_batch(dtype, tmp_path):
    mg.nn.manual_seed(0)
    rng = np.random.default_rng(0)
    with mg.Graph() as graph:
        x, t = mg.placeholder("x", (None, 1, 8, 8), dtype), mg.placeholder("t", (None,), int)
        net = mg.nn.Sequential(
            mg.nn.Conv2d(1, 3, 3, padding=1, dtype=dtype),
            mg.nn.BatchNorm(3, dtype=dtype),
            mg.nn.ReLU(),
            mg.nn.MaxPool2d(2),
            mg.nn.Flatten(),
            mg.nn.Linear(48, 5, dtype=dtype),
            mg.nn.LayerNorm(5, dtype=dtype),
        ).eval()
        scores = net(x)
        outputs = {
            "chances": mg.softmax(scores),
            "loss": mg.cross_entropy(scores, t),
            "best": mg.argmax(scores),
            "even": mg.where(scores > 0, scores, scores / 2),
        }
    for batch in (1, 6):
        feeds = {x: rng.normal(size=(batch, 1, 8, 8)).astype(dtype), t: rng.integers(5, size=batch)}
        agree(tmp_path / "net.onnx", outputs, feeds)
    assert graph.nodes


def test_numbers_of_several_types_are_converted_as_numpy_does(tmp_path):
    with mg.Graph():
        n, x = mg.placeholder("n", (3,), np.int32), mg.placeholder("x", (3,), np.float32)
        outputs = {
            "sum": n + x,
            "quotient": n / n,
            "mean": mg.mean(n),
            "power": n**2.0,
            "same": n == x,
            "other": n != x,
            "chosen": mg.where(n > 1, n, x),
            "whole": mg.cast(x, np.int64),
            "larger": mg.maximum(n, x),
            "total": mg.sum(n),
        }
    agree(tmp_path / "net.onnx", outputs, {n: np.int32([1, 2, 3]), x: np.float32([1, 5, -1])})


def test_variables_are_fixed_with_the_values_of_the_session(tmp_path):
    with mg.Graph() as graph:
        x, w = mg.placeholder("x"), mg.Variable(1.0)
        y, change = x * w, mg.assign(w, 5.0 * w)
    session = mg.Session(graph)
    session.run(change)
    feeds = {x: np.array(2.0)}
    assert executed(tmp_path / "a.onnx", y, feeds, session) == {"output": 10}
    assert executed(tmp_path / "a.onnx", [y, {"b": y}], feeds) == {"output_0": 2, "output_1_b": 2}


@pytest.mark.parametrize(
    "build, op",
    [
        (lambda x: mg.dropout(x, 0.5, seed=0), "RunIndex"),
        (lambda x: mg.print_(x), "Print"),
        (lambda x: x[np.array([0]), np.array([1])], "GetItem"),
        (lambda x: mg.while_loop(lambda a: mg.sum(a) < 3, lambda a: a + 1, x), "While"),
        (lambda x: mg.roll(x, 1), "Roll"),
        (lambda x: mg.sort(x), "ArgSort"),
        (lambda x: mg.logaddexp(x, 1.0), "LogAddExp"),
        (lambda x: mg.sum(mg.prod(x)) * mg.gradients(mg.prod(x), [x])[0], "LeaveOut"),
    ],
)
def test_what_has_no_counterpart_is_named_with_its_line(build, op, tmp_path):
    with mg.Graph():
        y = build(mg.placeholder("x", (2, 2)))
    with pytest.raises(mg.ArgumentError, match=f"{op}.* has no counterpart in ONNX") as caught:
        mg.save(tmp_path / "net.onnx", y)
    assert "test_onnx.py" in str(caught.value) and not (tmp_path / "net.onnx").exists()


def test_names_must_differ(tmp_path):
    with mg.Graph():
        x = mg.placeholder("x")
        odd = mg.placeholder("\ud800")
    for outputs, text in [
        ({"x": x + 1}, "an input and an output .* are both called 'x'"),
        ({"": x + 1}, "not an ONNX model"),
        ({"a_b": x + 1, "a": {"b": x + 2}}, "two outputs get one name"),
        (odd + 1, "surrogates"),
    ]:
        with raises_saying(mg.ArgumentError, text):
            mg.save(tmp_path / "net.onnx", outputs)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("names", [("_v0", "_c0"), ("_v1", "__v1"), ("input_0", ""), ("", "")])
def test_any_name_of_an_input_is_taken(names, tmp_path):
    with mg.Graph():
        x, y = (mg.placeholder(name or None, (2,)) for name in names)
        outputs = {"_v0" + "_" * ("_v0" in names): x * 2 + y, "_c1": x - 3}
        mg.save(tmp_path / "net.onnx", outputs)
    runtime = onnxruntime.InferenceSession((tmp_path / "net.onnx").read_bytes())
    found = [x.name for x in runtime.get_inputs()]
    assert [own for own, name in zip(found, names) if name] == [name for name in names if name]
    given = dict(zip(found, (np.array([1.0, 2.0]), np.array([5.0, 7.0]))))
    total, less = runtime.run(list(outputs), given)
    np.testing.assert_array_equal([total, less], [[7, 11], [-2, -1]])


# values that are odd ---------------------------------------------------------------------------

ODD = [
    0,
    -0.0,
    0.5,
    -0.5,
    1,
    -1,
    1.5,
    2.5,
    -2.5,
    -1.5,
    1e-9,
    1e30,
    -700,
    800,
    np.inf,
    -np.inf,
    np.nan,
]
OF_ONE = {
    "round": mg.round,
    "places": lambda x: mg.round(x, 2),
    "tens": lambda x: mg.round(x, -1),
    "isnan": mg.isnan,
    "isinf": mg.isinf,
    "isfinite": mg.isfinite,
    "not": mg.logical_not,
    "any": lambda x: mg.any(x, 1),
    "all": lambda x: mg.all(x > 0, 1),
    "log1p": mg.log1p,
    "expm1": mg.expm1,
    "chosen masks": lambda x: mg.where(x > 0, x > 1, x < -1),
}
OF_TWO = {"remainder": mg.remainder, "floor divide": mg.floor_divide, "xor": mg.logical_xor}


def same_everywhere(path, f, *arrays):
    """Asserts that f of arrays of any length is equal there, NaN and infinities included."""
    with mg.Graph() as graph:
        xs = [mg.placeholder(f"x{i}", (None, *a.shape[1:]), a.dtype) for i, a in enumerate(arrays)]
        y = f(*xs)
    session = mg.Session(graph)
    with np.errstate(all="ignore"):
        expected = session.run(y, dict(zip(xs, arrays)))
    found = executed(path, {"y": y}, dict(zip(xs, arrays)), session)["y"]
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OF_ONE)
def test_odd_values_are_the_same(name, dtype, tmp_path):
    same_everywhere(tmp_path / "net.onnx", OF_ONE[name], np.array(ODD, dtype).reshape(-1, 1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OF_TWO)
def test_odd_pairs_are_the_same(name, dtype, tmp_path):
    pairs = np.array([(x, y) for x in (*ODD, 0.1, 7) for y in (*ODD, 0.1, -0.3)], dtype)
    same_everywhere(tmp_path / "net.onnx", OF_TWO[name], pairs[:, :1], pairs[:, 1:])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64"])
def test_whole_remainders_by_nothing_and_at_the_ends(dtype, tmp_path):
    ends = np.iinfo(dtype)
    numbers = [0, 1, 2, 3, 100, ends.min, ends.max, *([-1, -3] if ends.min else [])]
    pairs = np.array([(x, y) for x in numbers for y in numbers], dtype)
    same_everywhere(tmp_path / "net.onnx", mg.remainder, pairs[:, :1], pairs[:, 1:])


@pytest.mark.parametrize("rows", [0, 2])
@pytest.mark.parametrize("op", [mg.any, mg.all])
def test_any_and_all_of_nothing(op, rows, tmp_path):
    for axis in (0, 1, (0, 1), ()):
        same_everywhere(tmp_path / "net.onnx", lambda x: op(x, axis), np.zeros((rows, 3)))


@pytest.mark.parametrize("dtype, least", [(np.float32, -44), (np.float64, -320)])
@pytest.mark.parametrize("name", ["log1p", "expm1"])
def test_small_numbers_keep_their_digits(name, dtype, least, tmp_path):
    x = np.logspace(least, 1.9, 20_001)
    x = np.concatenate([x, -x[x < 1]]).astype(dtype).reshape(-1, 1)
    exact = getattr(np, name)(x.astype(np.longdouble))
    with mg.Graph():
        given = mg.placeholder("x", (None, 1), dtype)
        y = getattr(mg, name)(given)
    found = executed(tmp_path / "net.onnx", {"y": y}, {given: x})["y"]
    assert (abs(found - exact) <= 5 * np.spacing(abs(exact).astype(dtype))).all()


def test_a_training_gradient_is_exported(tmp_path):
    rng = np.random.default_rng(0)
    with mg.Graph():
        x, t = mg.placeholder("x", (None, 4)), mg.placeholder("t", (None,), int)
        net = mg.nn.Sequential(
            mg.nn.Linear(4, 5), mg.nn.BatchNorm(5), mg.nn.ReLU(), mg.nn.Linear(5, 3)
        )
        loss = mg.cross_entropy(net(x), t)
        outputs = dict(zip("loss W b".split(), [loss, *mg.gradients(loss, net.parameters()[:2])]))
    for batch in (2, 7):
        feeds = {x: rng.normal(size=(batch, 4)), t: rng.integers(3, size=batch)}
        agree(tmp_path / "net.onnx", outputs, feeds)


# dtypes ------------------------------------------------------------------------------------------

A, B = np.array([[1, 2, 0], [3, 1, 2]]), np.array([[2, 1, 1], [1, 3, 2]])
OPS = {
    "neg": lambda x, y: -x,
    "relu": lambda x, y: mg.relu(x),
    "abs": lambda x, y: mg.abs(x),
    "sign": lambda x, y: mg.sign(x),
    "floor": lambda x, y: mg.floor(x),
    "exp": lambda x, y: mg.exp(x),
    "sum": lambda x, y: mg.sum(x),
    "mean": lambda x, y: mg.mean(x, 0),
    "max": lambda x, y: mg.max(x),
    "min": lambda x, y: mg.min(x, 1, True),
    "argmax": lambda x, y: mg.argmax(x),
    "square": lambda x, y: x**2,
    "root": lambda x, y: x**0.5,
    "clip": lambda x, y: mg.clip(x, 0, 1),
    "relu, clip": lambda x, y: mg.clip(mg.relu(x), 0, 1),
    "power": lambda x, y: x**y,
    "broadcast": lambda x, y: mg.broadcast_to(x, (2, 2, 3)),
    "pad": lambda x, y: mg.pad(x, 1),
    "transpose": lambda x, y: mg.transpose(x),
    "flip": lambda x, y: mg.flip(x, 1),
    "of a number": lambda x, y: mg.transpose(mg.reshape(x[0, 0], ())),
    "part": lambda x, y: x[:, ::-2],
    "tile": lambda x, y: mg.tile(x, (2, 2)),
    "repeat": lambda x, y: mg.repeat(x, 2, 0),
    "hstack": lambda x, y: mg.hstack([x, y]),
    "vstack": lambda x, y: mg.vstack([x[0], y]),
    "outer": lambda x, y: mg.outer(x[0], y[1]),
    "take": lambda x, y: mg.take(x, np.array([2, 0]), 1),
    "take along an axis": lambda x, y: mg.take_along_axis(x, np.array([[2, 0], [1, 1]]), 1),
    "one-hot rows": lambda x, y: mg.one_hot(mg.cast(x, int), 3, x.dtype),
    "clip from below": lambda x, y: mg.clip(x, 1, None),
    "clip from above": lambda x, y: mg.clip(x, None, 1),
    "pick": lambda x, y: x[np.array([1, 0])],
    "windows": lambda x, y: mg.windows(x, 2),
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "maximum": lambda x, y: mg.maximum(x, y),
    "minimum": lambda x, y: mg.minimum(x, y),
    "equal": lambda x, y: x == y,
    "other": lambda x, y: x != y,
    "less": lambda x, y: x < y,
    "at least": lambda x, y: x >= y,
    "round": lambda x, y: {f"{n}": mg.round(x / 3 if n > 0 else x, n) for n in (-1, 0, 1, 2)},
    "round whole": lambda x, y: {f"{n}": mg.round(x, n) for n in (-1, 0, 1)},
    "odd": lambda x, y: {"nan": mg.isnan(x), "inf": mg.isinf(x), "finite": mg.isfinite(x)},
    "not": lambda x, y: mg.logical_not(x),
    "and": lambda x, y: mg.logical_and(x, y),
    "or": lambda x, y: mg.logical_or(x, y - 1),
    "xor": lambda x, y: mg.logical_xor(x, y > 1),
    "masks": lambda x, y: {"z": (x > 1) & ~(y > 1) | ((x > 2) ^ (y > 2))},
    "sums of masks": lambda x, y: {
        "or": (x > 1) + (y > 1),
        "and": (x > 1) * (y > 1),
        "max": mg.maximum(x > 1, y > 1),
        "min": mg.minimum(x > 1, y > 1),
    },
    "any": lambda x, y: {"all": mg.any(x), "rows": mg.any(x > 2, 0), "kept": mg.any(x, 1, True)},
    "all": lambda x, y: {"all": mg.all(x), "rows": mg.all(x > 0, 0), "kept": mg.all(x, 1, True)},
    "log1p": lambda x, y: mg.log1p(x),
    "expm1": lambda x, y: mg.expm1(x),
    "remainder": lambda x, y: x % y,
    "floor divide": lambda x, y: x // y,
    "argmin": lambda x, y: mg.argmin(x),
    "gradient": lambda x, y: mg.gradients(
        mg.sum(mg.relu(x) * mg.max(y) + mg.var(x, ddof=1) + mg.maximum(x, y)), [x, y]
    )[0],
    "where": lambda x, y: mg.where(y > 1, x, y),
    "choose": lambda x, y: mg.where(y != 1, x, y),
    "matmul": lambda x, y: x @ mg.transpose(y),
    "concatenate": lambda x, y: mg.concatenate([x, y]),
    "einsum": lambda x, y: mg.einsum("ij,kj->ik", x, y),
    "cast": lambda x, y: {d: mg.cast(x + y, d) for d in DTYPES},
}


def refused_or_equal(path, outputs, feeds):
    """True when onnxruntime gives the same; False when the file is refused, naming node and cure.

    Float16 numbers and what is infinite or NaN are rounded otherwise there: these are skipped.
    """
    graph = next(iter(outputs.values())).graph
    used = set(find_written(list(outputs.values())))
    feeds = {x: a for x, a in feeds.items() if x in used}
    try:
        mg.save(path, outputs)
    except mg.ArgumentError as error:
        assert "has no counterpart in ONNX" in error.message and "%" in error.message
        assert error.hint and error.line and not path.exists()
        return False
    with np.errstate(all="ignore"):
        try:
            expected = mg.Session(graph).run(outputs, feeds)
        except mg.MinigradError:
            expected = {}
    found = executed(path, outputs, feeds) if expected else {}
    for name, array in expected.items():
        if array.dtype.newbyteorder("=") != outputs[name].dtype.newbyteorder("="):
            continue  # the op itself gives another dtype than it says
        assert (found[name].shape, found[name].dtype) == (
            array.shape,
            array.dtype.newbyteorder("="),
        )
        if not any(n.dtype == np.float16 for n in graph.nodes) and (
            np.isfinite(array.astype(float)).all()
        ):
            np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5)
    return True


@pytest.mark.parametrize("name", OPS)
def test_each_dtype_is_refused_or_gives_the_same(name, tmp_path):
    outcomes = {}
    for dtype in (*DTYPES, "int16", "int32", "uint16", "uint32"):
        with mg.Graph():
            x, y = (mg.placeholder(name, (2, 3), dtype) for name in "xy")
            try:
                outputs = OPS[name](x, y)
            except Exception:  # NumPy has no such op of this dtype
                continue
        outputs = outputs if isinstance(outputs, dict) else {"z": outputs}
        path = tmp_path / f"{dtype}.onnx"
        outcomes[dtype] = refused_or_equal(path, outputs, {x: A.astype(dtype), y: B.astype(dtype)})
    assert outcomes["float32"] and outcomes["float64"]


@pytest.mark.skipif(np.floor(np.int8(1)).dtype != np.int8, reason="NumPy 2.0 floors to floats")
def test_what_an_op_of_onnx_does_not_take_is_named_with_the_cure(tmp_path):
    with mg.Graph():
        x = mg.placeholder("x", (3,), np.int8)
        y = mg.floor(x)
    with pytest.raises(mg.ArgumentError, match="Floor takes no int8") as caught:
        mg.save(tmp_path / "net.onnx", y)
    assert caught.value.hint == (
        "cast first: mg.cast(x, 'float64'); Floor takes float16, float32, float64"
    )


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_machine_made_graphs_are_refused_or_give_the_same(start, tmp_path):
    equal = 0
    for seed in range(start, start + 50):
        _, outputs, feeds = machine_made(seed, ("x", "W", "a b", "é", "q", "r", "s", "t"))
        for node in list(outputs.values())[:2]:
            path = tmp_path / f"{seed}.onnx"
            path.unlink(missing_ok=True)
            equal += refused_or_equal(path, {"z": node}, feeds)
    assert equal > 40
