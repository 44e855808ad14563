"""Jacobians in all directions at once against one direction after another, for every op."""

import numpy as np
import pytest
from engines import Dynamic, Static
from ops_table import CASES, IDS, inputs_of

import minigrad as mg
from minigrad.dynamic import batch, jacobians

cases = pytest.mark.parametrize("row, shapes", CASES, ids=IDS)
MODES = ("reverse", "forward")


def refuse(values):
    """Stands in for Batch: nothing can be done for all directions together."""
    raise batch.Unbatched("anything")


@pytest.fixture
def one_by_one(monkeypatch):
    """Makes jacobian loop over the directions from here on."""
    return lambda: monkeypatch.setattr(jacobians, "Batch", refuse)


@pytest.fixture
def loops(monkeypatch):
    """The sweeps that jacobian makes for one direction alone."""
    made = []
    for sweep in ("gradients", "forward_gradients"):
        real = getattr(jacobians, sweep)
        monkeypatch.setattr(
            jacobians,
            sweep,
            lambda *given, real=real, **options: (made.append(real), real(*given, **options))[1],
        )
    return made


def both_modes(engine, row, arrays):
    """∂f/∂x for each x in both modes, and the sum of the squares of all differentiated again."""
    xs, every = engine.inputs(arrays), tuple(range(len(arrays)))
    found = [j for mode in MODES for j in mg.jacobian(row.f, mode, every)(*xs)]
    norm = lambda *xs: sum(
        mg.sum(j * j) for mode in MODES for j in mg.jacobian(row.f, mode, every)(*xs)
    )
    return engine.numbers([*found, *mg.grad(norm, every)(*xs)])


@cases
def test_all_directions_at_once_are_those_one_by_one(row, shapes, one_by_one):
    arrays = inputs_of(row, shapes)
    together = [both_modes(engine, row, arrays) for engine in (Dynamic(), Static())]
    one_by_one()
    alone = both_modes(Dynamic(), row, arrays)
    for found in together:
        for a, b in zip(found, alone, strict=True):
            assert a.shape == b.shape and a.dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11)


@cases
def test_every_op_of_the_package_takes_all_directions_at_once(row, shapes, loops):
    arrays = inputs_of(row, shapes)
    for mode in MODES:
        mg.jacobian(row.f, mode, tuple(range(len(arrays))))(*arrays)
    assert loops == []


X = np.arange(1.0, 9.0).reshape(2, 2, 2)
APART = ([0, 1, 1], slice(None), [1, 0, 1])


def hooked(x):
    """Σ x² by entry, with a hook that doubles the cotangent in the middle."""
    middle = x * 1.0
    if isinstance(middle, mg.Tensor):
        middle.register_hook(lambda z_bar: z_bar * 2)
    return middle * x


numbers = mg.custom_op(
    lambda x: np.sum(x) * np.ones(2),
    name="numbers",
    vjp=lambda x, z, z_bar: (mg.tensor(np.full(x.shape, np.sum(z_bar.numpy()))),),
)


@pytest.mark.parametrize(
    "f, modes, expected",
    [
        (lambda x: x[APART], MODES, np.eye(8).reshape(2, 2, 2, 8)[APART].reshape(3, 2, 2, 2, 2)),
        (lambda x: mg.scan(lambda c, row: (c + row, c * row), mg.sum(x, 0) * 0, x)[1], MODES, None),
        (hooked, ("reverse",), np.diag(3 * X.ravel()).reshape(2, 2, 2, 2, 2, 2)),
        (numbers, ("reverse",), np.ones((2, 2, 2, 2))),
    ],
    ids=["index arrays apart", "a loop", "a hook", "a rule that looks at numbers"],
)
def test_what_takes_one_direction_only_is_done_one_by_one(f, modes, expected, loops):
    engines = [Dynamic()] + [Static()] * (modes == MODES)
    results = [
        found
        for engine in engines
        for mode in modes
        for found in engine.numbers([mg.jacobian(f, mode)(*engine.inputs([X]))])
    ]
    assert loops
    for found in results:
        np.testing.assert_allclose(found, results[0] if expected is None else expected)


@pytest.mark.parametrize("mode", MODES)
def test_directions_that_would_fill_the_memory_come_in_parts(mode, monkeypatch):
    f = lambda x: mg.tanh(x) * mg.sum(x)
    expected = mg.jacobian(f, mode)(X).numpy()
    sweeps = []
    monkeypatch.setattr(
        jacobians, "Batch", lambda values: sweeps.append(len(values)) or batch.Batch(values)
    )
    for together, parts in ((8, [1] * 8), (24, [3, 3, 2]), (10**6, [8])):
        monkeypatch.setattr(jacobians, "TOGETHER", together)
        np.testing.assert_array_equal(mg.jacobian(f, mode)(X), expected)
        assert sweeps == parts
        sweeps.clear()


def test_a_batch_shows_no_numbers():
    values = batch.Batch(np.ones((3, 2)))
    assert (values.shape, values.ndim, values.dtype) == ((2,), 1, np.float64)
    for look in (float, bool, list, len, np.asarray, lambda v: v.item(), lambda v: v.data):
        with pytest.raises(batch.Unbatched):
            look(values)


@pytest.mark.parametrize("mode", MODES)
def test_an_outer_derivative_goes_through_what_the_function_takes_from_outside(mode):
    w = mg.tensor(np.arange(1.0, 4.0), requires_grad=True)
    for f in (lambda x: mg.sin(x) * w, lambda x: mg.sum(mg.sin(x) * w)):
        w.grad = None
        slopes = mg.jacobian(f, mode)(X[0, 0, :1] * np.ones(3))
        slopes.sum().backward()
        np.testing.assert_allclose(w.grad, np.full(3, np.cos(1.0)))
    with mg.no_grad():
        assert not mg.jacobian(lambda x: mg.sin(x) * w, mode)(np.ones(3)).requires_grad


@pytest.mark.parametrize("mode", MODES)
def test_jacobians_of_a_sum_share_no_memory(mode):
    found = mg.jacobian(lambda x, y: x + y, mode, (0, 1))(np.ones(3), np.ones(3))
    assert not np.shares_memory(*[slopes.data for slopes in found])
