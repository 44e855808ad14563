"""Small programs as one machine-code function: near the plain results, and refused like them."""

import itertools

import numpy as np
import pytest

import minigrad as mg
from minigrad import optim

pytest.importorskip("numba", reason="numba is not installed: there is no machine code to test")
pytestmark = pytest.mark.lane
R = np.random.default_rng(0)


def both(graph, fetches, feeds, runs=1):
    """The results of a fast numba session and of a plain one, after equal numbers of runs."""
    fast = mg.Session(graph, backend="numba", rules="fast")
    plain = mg.Session(graph, optimize=False, backend="numpy")
    with np.errstate(all="ignore"):
        for _ in range(runs):
            found, expected = fast.run(fetches, feeds), plain.run(fetches, feeds)
    return fast, found, expected


def is_whole(session, fetches, feeds):
    return session.compile(fetches, feeds).source.startswith("def whole(")


FORMULAS = {
    "arithmetic": lambda x, y: mg.where(x > y, x / y, -x) + mg.maximum(x, y) - mg.abs(y) * x,
    "functions": lambda x, y: mg.exp(mg.sin(x)) + mg.cos(y) * mg.tanh(x) - mg.log(mg.abs(y) + 1.0),
    "rows and columns": lambda x, y: x * mg.sum(x, 0) + mg.sum(y, 1, keepdims=True) / (x * x + 1),
    "sums": lambda x, y: mg.sum(x) * mg.sum(y, 0) + mg.max(x * y),
    "products": lambda x, y: mg.relu(mg.transpose(x) @ y) @ mg.transpose(y),
    "vectors": lambda x, y: mg.tanh(x @ mg.sum(y, 0)) @ y + mg.sum(x, 0) @ mg.max(y, 0),
    "shapes": lambda x, y: mg.reshape(x * y, (6, 2)) @ mg.reshape(x + 1.0, (2, 6)),
    "numbers": lambda x, y: mg.sqrt(mg.sum(x * x)) / (1.0 + mg.exp(-mg.max(y))),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
def test_values_and_gradients_are_near_the_plain_ones(formula, dtype):
    with mg.Graph() as graph:
        x, y = (mg.placeholder(shape=(3, 4), dtype=dtype) for _ in range(2))
        z = formula(x, y)
        fetches = [z, z, *mg.gradients(mg.sum(z), [x, y])]
    feeds = {x: R.normal(size=(3, 4)).astype(dtype), y: R.normal(size=(3, 4)).astype(dtype)}
    session, found, expected = both(graph, fetches, feeds)
    assert is_whole(session, fetches, feeds), session.compile(fetches, feeds).explain()
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape and isinstance(a, np.ndarray)
        np.testing.assert_allclose(a, b, rtol=1e-5 if dtype is np.float32 else 1e-12)
    assert not np.shares_memory(*found[:2])


def test_what_is_no_number_stays_none():
    x0 = np.array([np.nan, np.inf, -np.inf, -0.0, 2.0])
    with mg.Graph() as graph:
        x = mg.placeholder(shape=(5,))
        fetches = [mg.relu(x), mg.maximum(x, 1.0), mg.max(x), mg.sum(x), 1.0 / x, x]
    session, found, expected = both(graph, fetches, {x: x0})
    assert is_whole(session, fetches, {x: x0}) and not np.shares_memory(found[-1], x0)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def net(sizes, batch):
    """(graph, loss and update, feeds) of a small net with relu and cross-entropy."""
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(batch, sizes[0]), dtype=np.float32)
        labels = mg.placeholder("labels", shape=(batch,), dtype=int)
        h = x
        for i, (m, n) in enumerate(itertools.pairwise(sizes)):
            w = mg.Variable((R.normal(size=(m, n)) / np.sqrt(m)).astype(np.float32))
            h = (mg.relu(h) if i else h) @ w + mg.Variable(np.zeros(n, np.float32))
        loss = mg.cross_entropy(h, labels)
        step = optim.SGD(lr=0.1, momentum=0.9).minimize(loss)
    feeds = {
        x: R.normal(size=(batch, sizes[0])).astype(np.float32),
        labels: R.integers(0, sizes[-1], batch),
    }
    return graph, [loss, step], feeds


def test_a_step_of_training_is_one_function():
    graph, fetches, feeds = net((4, 8, 3), 16)
    session, found, expected = both(graph, fetches, feeds, runs=20)
    assert is_whole(session, fetches, feeds) and found[1] is None
    assert found[0] == pytest.approx(float(expected[0]), rel=1e-4) and found[0] < 1.0


def test_a_wrong_label_is_told_as_without_machine_code():
    graph, fetches, feeds = net((4, 8, 3), 16)
    session = mg.Session(graph, backend="numba", rules="fast")
    before = session.run(graph.variables, feeds)
    labels = next(node for node in feeds if node.name == "labels")
    with pytest.raises(mg.ArgumentError, match="labels range from 7 to 7"):
        session.run(fetches, {**feeds, labels: np.full(16, 7)})
    for a, b in zip(session.run(graph.variables, feeds), before, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "build, reason",
    [
        (lambda x: mg.print_(x * 2.0), "it prints, or it is large"),
        (lambda x: mg.broadcast_to(mg.sum(x), (50_000,)) * 2.0, "it prints, or it is large"),
        (lambda x: mg.logsumexp(x), "log_sum_exp is not written as loops"),
    ],
    ids=["print", "large", "op"],
)
def test_what_stays_in_parts_says_why(build, reason):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(8,))
        y = build(x)
    exe = mg.Session(graph, backend="numba", rules="fast").compile(y, [x])
    assert exe.source.startswith("def run(") and reason in exe.explain()


def test_the_safe_rules_take_no_such_function():
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(8,))
        exe = mg.Session(graph, backend="numba").compile(mg.exp(x) * x, [x])
    assert exe.source.startswith("def run(")
