"""ONNX files, executed by onnxruntime to the values that a Session computes."""

import numpy as np
import pytest
from ops_table import CASES, IDS, inputs_of

import minigrad as mg

pytest.importorskip("onnx", reason="the extra onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

NO_COUNTERPART = {"custom op", "dropout", "x[integers, integers]", "einsum ii->i", "einsum ii",
                  "einsum iij,jk->ki"}  # a diagonal is picked by two arrays of indices
TABLE = [(c, i) for c, i in zip(CASES, IDS) if c[0].name not in NO_COUNTERPART]


def executed(path, outputs, feeds, session=None):
    """What onnxruntime computes from the saved file, {name of an output: array}."""
    mg.save(path, outputs, session)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    runtime = onnxruntime.InferenceSession(path.read_bytes(), options,
                                           providers=["CPUExecutionProvider"])
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
            mg.nn.Conv2d(1, 3, 3, padding=1, dtype=dtype), mg.nn.BatchNorm(3, dtype=dtype),
            mg.nn.ReLU(), mg.nn.MaxPool2d(2), mg.nn.Flatten(),
            mg.nn.Linear(48, 5, dtype=dtype), mg.nn.LayerNorm(5, dtype=dtype)).eval()
        scores = net(x)
        outputs = {"chances": mg.softmax(scores), "loss": mg.cross_entropy(scores, t),
                   "best": mg.argmax(scores), "even": mg.where(scores > 0, scores, scores / 2)}
    for batch in (1, 6):
        feeds = {x: rng.normal(size=(batch, 1, 8, 8)).astype(dtype), t: rng.integers(5, size=batch)}
        agree(tmp_path / "net.onnx", outputs, feeds)
    assert graph.nodes


def test_numbers_of_several_types_are_converted_as_numpy_does(tmp_path):
    with mg.Graph():
        n, x = mg.placeholder("n", (3,), np.int32), mg.placeholder("x", (3,), np.float32)
        outputs = {"sum": n + x, "quotient": n / n, "mean": mg.mean(n), "power": n ** 2.0,
                   "same": n == x, "other": n != x, "chosen": mg.where(n > 1, n, x),
                   "whole": mg.cast(x, np.int64), "larger": mg.maximum(n, x), "total": mg.sum(n)}
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


@pytest.mark.parametrize("build, op", [
    (lambda x: mg.dropout(x, 0.5, seed=0), "RunIndex"),
    (lambda x: mg.print_(x), "Print"),
    (lambda x: x[np.array([0]), np.array([1])], "GetItem"),
    (lambda x: mg.while_loop(lambda a: mg.sum(a) < 3, lambda a: a + 1, x), "While"),
    (lambda x: (x > 0) + (x > 1), "Add")])
def test_what_has_no_counterpart_is_named_with_its_line(build, op, tmp_path):
    with mg.Graph():
        y = build(mg.placeholder("x", (2, 2)))
    with pytest.raises(mg.ArgumentError, match=f"{op}.* has no counterpart in ONNX") as caught:
        mg.save(tmp_path / "net.onnx", y)
    assert "test_onnx.py" in str(caught.value) and not (tmp_path / "net.onnx").exists()


def test_names_must_differ(tmp_path):
    with mg.Graph():
        x = mg.placeholder("x")
    with pytest.raises(mg.ArgumentError, match="this is no ONNX model"):
        mg.save(tmp_path / "net.onnx", {"x": x + 1})
