"""Layers, functions, schedules and optimisers compute what PyTorch does, in both engines."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest
from peers import rows, theirs

import minigrad as mg
from minigrad import nn, optim

FILE = Path(__file__).parent / "peers" / "pytorch.json"
STORED = json.loads(FILE.read_text(encoding="utf-8"))
SESSIONS = {
    "codegen": {},
    "unknown lengths": {},
    "fast": {"rules": "fast"},
    "plain": {"optimize": False, "backend": "numpy"},
}
engines = pytest.mark.parametrize("engine", ("dynamic", *SESSIONS))
dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])


def stored(name, dtype=np.float64):
    """What PyTorch computed for a row, floats in the given dtype."""
    arrays = {what: np.array(value) for what, value in STORED[name].items()}
    with np.errstate(over="ignore"):
        return {what: a.astype(dtype) if a.dtype.kind == "f" else a for what, a in arrays.items()}


def same(ours, theirs, dtype=np.float64, extreme=False):
    """Raises AssertionError unless the same was computed here and there, and nearly alike."""
    near = 1e-12 if dtype == np.float64 else 1e-5
    assert set(ours) == set(theirs)
    for what, expected in theirs.items():
        atol = 0 if extreme and dtype == np.float64 else near
        np.testing.assert_allclose(ours[what], expected, near, atol, err_msg=what)
        assert np.asarray(ours[what]).dtype == expected.dtype, what


# layers ------------------------------------------------------------------------------------------


def inputs(expected, i):
    """The inputs of a pass."""
    return [expected[f"{i}.x{j}"] for j in range(2) if f"{i}.x{j}" in expected]


def values_of(layer):
    """{name: value} of what a layer stores; a function stores nothing."""
    return dict(layer.named_values()) if isinstance(layer, nn.Module) else {}


def set_training(layer, how):
    """Sets a layer to training or evaluation; a function knows neither."""
    if isinstance(layer, nn.Module):
        layer.train(how == "t")


def trained(value):
    """True for a parameter, False for running statistics."""
    return value.requires_grad if isinstance(value, mg.Tensor) else value.trainable


def dynamic_passes(row, expected, dtype):
    """What our layer computes with Tensors in each pass."""
    layer = row.ours(dtype)
    values = values_of(layer)
    if values:
        layer.load_state_dict({name: expected[name] for name in values})
    for i, how in enumerate(row.passes):
        set_training(layer, how)
        xs = [mg.tensor(a, requires_grad=a.dtype.kind == "f") for a in inputs(expected, i)]
        y = layer(*xs)
        y.backward(expected[f"{i}.y_bar"])
        asked = {f"x{j}": x for j, x in enumerate(xs)} | values
        yield (
            {"y": y.numpy()}
            | {f"{name}_bar": x.grad.numpy() for name, x in asked.items() if x.grad is not None}
            | {name: v.numpy() for name, v in values.items() if not trained(v) and how == "t"}
        )
        for value in values.values():
            value.zero_grad()


def program(layer, arrays, values, known):
    """(placeholders, {what: node}, the updates) of one call of a layer in the open graph."""
    xs = [
        mg.placeholder(f"x{j}", a.shape if known else (None, *a.shape[1:]), a.dtype)
        for j, a in enumerate(arrays)
    ]
    before = len(layer.updates()) if isinstance(layer, nn.Module) else 0
    y = layer(*xs)
    asked = {f"x{j}": x for j, x in enumerate(xs) if x.dtype.kind == "f"}
    asked |= {name: v for name, v in values.items() if trained(v)}
    y_bar = mg.placeholder("y_bar", y.shape, y.dtype)
    bars = mg.gradients(y, list(asked.values()), y_bar)
    fetches = {"y": y} | {f"{name}_bar": bar for name, bar in zip(asked, bars)}
    updates = layer.updates()[before:] if isinstance(layer, nn.Module) else []
    return [*xs, y_bar], fetches, updates


def static_passes(row, expected, dtype, engine):
    """What our layer computes with Nodes in each pass."""
    programs = {}
    with mg.Graph() as graph:
        layer = row.ours(dtype)
        values = values_of(layer)
        for how in sorted(set(row.passes)):
            set_training(layer, how)
            programs[how] = program(layer, inputs(expected, 0), values, engine != "unknown lengths")
    session = mg.Session(graph, **SESSIONS[engine])
    if values:
        layer.load_state_dict({name: expected[name] for name in values}, session)
    for i, how in enumerate(row.passes):
        fed, fetches, updates = programs[how]
        arrays = [*inputs(expected, i), expected[f"{i}.y_bar"]]
        found, _ = session.run([fetches, updates], dict(zip(fed, arrays)))
        yield found | {
            name: session.run(v) for name, v in values.items() if not trained(v) and how == "t"
        }


@dtypes
@engines
@pytest.mark.parametrize("name", rows.LAYERS)
def test_a_layer_and_its_gradients_are_those_of_pytorch(name, engine, dtype):
    row, expected = rows.LAYERS[name], stored(name, dtype)
    ours = {
        what: a
        for what, a in expected.items()
        if what in row.parts or "y_bar" in what or what.split(".")[-1] in ("x0", "x1")
    }
    passes = (
        dynamic_passes(row, expected, dtype)
        if engine == "dynamic"
        else static_passes(row, expected, dtype, engine)
    )
    with np.errstate(all="ignore"):
        for i, found in enumerate(passes):
            ours |= {f"{i}.{what}": array for what, array in found.items()}
    same(ours, expected, dtype, row.extreme)


# optimisers --------------------------------------------------------------------------------------


def dynamic_updates(row, given):
    """W and b after each update of Tensors; and the optimiser's states, at last."""
    w, b = (mg.tensor(given[name], requires_grad=True) for name in "Wb")
    optimizer = row.ours([w, b])
    for _ in range(theirs.UPDATES):
        optimizer.zero_grad()
        mg.sum(mg.tanh(given["x"] @ w + b) ** 2).backward()
        optimizer.step()
        yield {"W": w.numpy(), "b": b.numpy()}
    yield optimizer.state_dict()


def static_updates(row, given, engine):
    """The same of Variables."""
    with mg.Graph() as graph:
        w, b = (mg.Variable(given[name], name=name) for name in "Wb")
        x = mg.placeholder("x", (None if engine == "unknown lengths" else 4, 3), w.dtype)
        optimizer = row.ours([w, b])
        step = optimizer.minimize(mg.sum(mg.tanh(x @ w + b) ** 2))
    session = mg.Session(graph, **SESSIONS[engine])
    for _ in range(theirs.UPDATES):
        session.run(step, {x: given["x"]})
        yield session.run({"W": w, "b": b})
    yield optimizer.state_dict(session)


@dtypes
@engines
@pytest.mark.parametrize("name", rows.OPTIMISERS)
def test_twenty_updates_are_those_of_pytorch(name, engine, dtype):
    row, expected = rows.OPTIMISERS[name], stored(name, dtype)
    given = {what: a.astype(dtype) for what, a in theirs.problem().items()}
    *weights, state = (
        dynamic_updates(row, given) if engine == "dynamic" else static_updates(row, given, engine)
    )
    ours = {
        f"{i}.{what}": a
        for i, found in enumerate(weights, 1)
        if i in theirs.LOOKS
        for what, a in found.items()
    }
    for i, weight in enumerate("Wb"):
        for part in row.states:
            ours[f"{weight}.{part}"] = state[f"{i}.{part}"].astype(dtype)
    same(ours, expected, dtype)


# schedules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rows.SCHEDULES)
def test_a_schedule_gives_the_rates_of_pytorch(name):
    rate, expected = rows.SCHEDULES[name].ours, stored(name)["rates"]
    with mg.Graph() as graph:
        t = mg.placeholder("t")
        node = rate(t)
    session = mg.Session(graph)
    for numbers in (
        [rate(t) for t in range(30)],
        [rate(np.asarray(float(t))) for t in range(30)],
        [session.run(node, {t: float(i)}) for i in range(30)],
    ):
        np.testing.assert_allclose(np.array(numbers, float), expected, rtol=1e-12, atol=1e-15)


# the table itself --------------------------------------------------------------------------------


def test_every_layer_optimiser_and_schedule_has_a_row():
    text = inspect.getsource(rows)
    for module, kind in ((nn, nn.Module), (optim, optim.Optimizer)):
        for name, made in vars(module).items():
            if isinstance(made, type) and issubclass(made, kind) and made is not kind:
                assert f"{module.__name__.split('.')[-1]}.{name}(" in text, name
    assert all(f"optim.{name}(" in text for name in ("step_decay", "cosine", "warmup"))


def test_the_file_has_the_rows_of_the_table_and_says_whose_numbers_it_holds():
    tables = (rows.LAYERS, rows.OPTIMISERS, rows.SCHEDULES)
    assert list(STORED) == ["PyTorch", *(name for table in tables for name in table)]
    assert STORED["PyTorch"] == "2.13.0" and FILE.stat().st_size < 300_000


def test_the_file_is_what_pytorch_computes():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: its numbers are stored")
    now = theirs.everything(torch, rows.LAYERS, rows.OPTIMISERS, rows.SCHEDULES)
    for name, found in now.items():
        same(found, stored(name))
