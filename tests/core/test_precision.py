"""Half precision: sums, products and counts of float16 are computed in float32, rounded once."""

import numpy as np
import pytest
from engines import Dynamic, Static

import minigrad as mg

MANY = 70_000
ENGINES = [Dynamic(), Static(), Static(optimize=False, backend="numpy")]


def ones(*shape, times=1.0):
    return np.full(shape, times, np.float16)


def ends(*shape):
    """-300 and 300 by turns along the first axis: their squares leave the range of float16."""
    return np.where(np.arange(shape[0]) % 2, 300, -300).astype(np.float16).reshape(
        shape[0], *(1,) * (len(shape) - 1)
    ) * np.ones(shape, np.float16)


LABELS = np.zeros(MANY, int)
CASES = {  # (a function of one float16 array, the array, what it is)
    "mean": (mg.mean, ones(MANY), 1),
    "mean of rows": (lambda x: mg.mean(x, 0), ones(4097, 2), [1, 1]),
    "mean of large": (mg.mean, ones(400, times=300), 300),
    "var": (mg.var, ones(MANY), 0),
    "std": (mg.std, ends(MANY), 300),
    "std of rows": (lambda x: mg.std(x, 0), ends(5000, 2), [300, 300]),
    "sum": (mg.sum, ones(MANY, times=0.5), 35_000),
    "prod": (mg.prod, np.array([1e4, 1e4, 1e-4, 1e-4], np.float16), 1),
    "cumsum": (lambda x: mg.cumsum(x)[-1], ones(5001), 5001),
    "logsumexp": (mg.logsumexp, ones(MANY), 1 + np.log(MANY)),
    "softmax": (lambda x: mg.softmax(x)[0] * 1000, ones(5001), 1000 / 5001),
    "log_softmax": (lambda x: mg.log_softmax(x)[0], ones(MANY), -np.log(MANY)),
    "cross_entropy": (lambda x: mg.cross_entropy(x, LABELS), ones(MANY, 2), np.log(2)),
    "soft labels": (lambda x: mg.cross_entropy(x, ones(9, 5000) / 5000), ones(9, 5000), 8.517),
    "mse": (lambda x: mg.mse(x, ones(MANY, times=101)), ones(MANY), 10_000),
    "max": (mg.max, ones(MANY), 1),
    "min of rows": (lambda x: mg.min(x, 0), ones(5001, 2), [1, 1]),
    "norm": (np.linalg.norm, ends(100), 3000),
    "average": (lambda x: np.average(x, weights=ones(MANY)), ones(MANY), 1),
    "matmul": (lambda x: x @ ones(5001, 1), ones(1, 5001), [[5001]]),
    "einsum": (lambda x: mg.einsum("ij->i", x), ones(2, 5001), [5001, 5001]),
}
LAYERS = {
    "layer norm": (lambda: mg.nn.LayerNorm(5000, dtype=np.float16), ends(5000)[None]),
    "batch norm": (lambda: mg.nn.BatchNorm(2, dtype=np.float16), ends(5000, 2)),
}


@pytest.mark.parametrize("f, x, value", CASES.values(), ids=CASES)
@pytest.mark.parametrize("engine", ENGINES, ids=["dynamic", "static", "plain"])
def test_many_entries_are_added_up_as_in_single_precision(engine, f, x, value):
    (t,) = engine.inputs([x])
    y = f(t)
    (found,) = engine.numbers([y])
    assert found.dtype == np.float16
    np.testing.assert_allclose(found, np.float16(value), rtol=1e-3)


@pytest.mark.parametrize("f, x, value", CASES.values(), ids=CASES)
def test_derivatives_are_those_of_float64_in_both_modes(f, x, value):
    exact = Dynamic()
    for engine in ENGINES:
        pairs = []
        for e, array in ((engine, x), (exact, x.astype(float))):
            (t,) = e.inputs([array])
            y = mg.sum(f(t))
            direction = np.where(np.arange(x.size) % 3, 0.5, 1).reshape(x.shape)
            found = [*mg.gradients(y, [t]), *mg.forward_gradients(y, [t], [direction])]
            pairs.append([np.asarray(v, float) for v in e.numbers(found)])
        for half, double in zip(*pairs):
            scale = np.abs(double).max(initial=1e-3)
            np.testing.assert_allclose(half, np.float16(double), rtol=2e-3, atol=2e-3 * scale)


def test_what_is_repeated_gets_the_sum_of_all_its_contributions():
    for engine in ENGINES:
        bias, x, table = engine.inputs([ones(2), ones(5001, 2), ones(3, 2)])
        picked = table[np.zeros(5001, int)]
        y = mg.sum(bias * x) * 0.25 + mg.sum(picked) * 0.25 + mg.sum(mg.broadcast_to(bias, (9, 2)))
        found = engine.numbers(mg.gradients(y, [bias, table]))
        np.testing.assert_allclose(found[0], [5001 / 4 + 9] * 2, rtol=1e-3)
        np.testing.assert_allclose(found[1][:2], [[5001 / 4] * 2, [0, 0]], rtol=1e-3)


@pytest.mark.parametrize("make, x", LAYERS.values(), ids=LAYERS)
def test_layers_normalise_what_has_no_square_in_half_precision(make, x):
    layer = make()
    z = layer(mg.tensor(x))
    assert z.dtype == np.float16
    np.testing.assert_allclose(z.numpy(), np.sign(x), rtol=1e-3)
    if hasattr(layer, "var"):
        assert layer.var.numpy() == pytest.approx(np.full(2, 0.9 + 0.1 * 90_018), rel=1e-4)
        assert np.isfinite(layer.eval()(mg.tensor(x)).numpy()).all()


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, bool])
def test_a_mean_of_integers_does_not_overflow(dtype):
    largest = 1 if dtype is bool else np.iinfo(dtype).max
    for engine in ENGINES:
        (x,) = engine.inputs([np.full(1000, largest, dtype)])
        (found,) = engine.numbers([mg.mean(x)])
        assert found.dtype == float and found == float(largest)


def test_a_loss_and_its_softmax_share_exponentials_with_the_bits_of_each():
    scores = np.random.default_rng(0).normal(size=(50, 7)).astype(np.float16) * np.float16(9)
    labels = np.arange(50) % 7
    with mg.Graph() as graph:
        x = mg.placeholder("x", scores.shape, np.float16)
        loss = mg.cross_entropy(x, labels)
        found = [loss, mg.softmax(x, 1), *mg.gradients(loss, [x])]
    for a, b in zip(
        mg.Session(graph).run(found, {x: scores}),
        mg.Session(graph, optimize=False, backend="numpy").run(found, {x: scores}),
    ):
        assert a.tobytes() == b.tobytes()
