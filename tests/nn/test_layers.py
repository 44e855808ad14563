"""Layers: formulas, gradients in both engines and modes, training and evaluation, files."""

import itertools

import numpy as np
import pytest
from engines import Dynamic, Static, everything
from saying import raises_saying

import minigrad as mg
from minigrad import nn, optim

RNG = np.random.default_rng(0)
LAYERS = {
    "linear": (lambda: nn.Linear(4, 3), (5, 4)),
    "conv": (lambda: nn.Conv2d(2, 3, (3, 2), stride=2, padding=1), (2, 2, 5, 4)),
    "conv without bias": (lambda: nn.Conv2d(1, 2, 2, bias=False), (2, 1, 3, 3)),
    "max pool": (lambda: nn.MaxPool2d(2), (2, 1, 4, 4)),
    "layer norm": (lambda: nn.LayerNorm(5), (3, 5)),
    "batch norm": (lambda: nn.BatchNorm(4), (6, 4)),
    "batch norm of images": (lambda: nn.BatchNorm(2), (3, 2, 2, 3)),
    "self-attention": (lambda: nn.SelfAttention(4, heads=2), (2, 3, 4)),
    "causal self-attention": (lambda: nn.SelfAttention(4, heads=2, causal=True), (2, 3, 4)),
    "self-attention of one text": (lambda: nn.SelfAttention(2, causal=True), (3, 2)),
    "relu": (nn.ReLU, (3, 3)),
    "tanh": (nn.Tanh, (3, 3)),
    "sigmoid": (nn.Sigmoid, (2, 3)),
    "flatten": (nn.Flatten, (2, 3, 2)),
    "dropout": (lambda: nn.Dropout(0.5).eval(), (3, 4)),
}
layers = pytest.mark.parametrize("make, shape", LAYERS.values(), ids=LAYERS)


@layers
def test_a_layer_has_right_derivatives_for_its_input_and_its_parameters(make, shape):
    nn.manual_seed(0)
    layer, x = make(), RNG.normal(size=shape)
    assert mg.gradcheck(lambda x: layer(x), x, order=2)
    parameters = layer.parameters()

    def of_parameters(*values):
        for (name, _), value in zip(list(layer.named_parameters()), values):
            setattr(layer, name, value)
        return layer(x)

    if parameters:
        assert mg.gradcheck(of_parameters, *[p.numpy() + 0.1 for p in parameters], order=2)


@layers
def test_both_engines_compute_the_same_layer(make, shape):
    x = RNG.normal(size=shape)

    def fresh(x):
        nn.manual_seed(0)
        if isinstance(x, mg.Node):
            with x.graph:
                return make()(x)
        return make()(x)

    dynamic, static = (everything(engine, fresh, [x])[0] for engine in (Dynamic(), Static()))
    for a, b in zip(dynamic, static, strict=True):
        np.testing.assert_array_equal(a, b)


def test_an_rnn_cell_is_its_formula():
    cell = nn.RNNCell(3, 2)
    x, h = RNG.normal(size=(4, 3)), RNG.normal(size=(4, 2))
    Wx, Wh, b = (p.numpy() for p in cell.parameters())
    np.testing.assert_allclose(cell(x, h).data, np.tanh(x @ Wx + h @ Wh + b))
    assert mg.gradcheck(lambda x, h: cell(cell(x, h)[:, :1] * x, h), x, h, order=2)


def test_self_attention_is_its_formula_and_looks_back_alone_where_it_is_causal():
    layer, x = nn.SelfAttention(6, heads=2, causal=True), RNG.normal(size=(4, 6))
    q, k, v = np.split(x @ layer.inputs.W.data + layer.inputs.b.data, 3, axis=1)
    means = []
    for head in (slice(3), slice(3, 6)):
        weights = np.tril(np.exp(q[:, head] @ k[:, head].T / np.sqrt(3)))
        means.append(weights / weights.sum(1, keepdims=True) @ v[:, head])
    expected = np.hstack(means) @ layer.outputs.W.data
    np.testing.assert_allclose(layer(x).data, expected, atol=1e-14)
    np.testing.assert_allclose(layer(np.stack([x, 2 * x])).data[0], expected, atol=1e-14)
    assert not mg.jacobian(lambda x: layer(x)[1])(x).numpy()[:, 2:].any()
    layer.causal = False
    assert mg.jacobian(lambda x: layer(x)[1])(x).numpy().all()


def test_self_attention_of_half_precision_is_averaged_in_single():
    layer = nn.SelfAttention(4, heads=2, causal=True, dtype=np.float16)
    y = layer(100 * RNG.normal(size=(2, 3, 4)).astype(np.float16))
    assert y.dtype == np.float16 and np.isfinite(y.data).all()


def test_self_attention_has_to_know_how_many_rows_it_gets():
    with mg.Graph(), pytest.raises(mg.ShapeError, match="needs a known number of rows") as caught:
        nn.SelfAttention(4)(mg.placeholder("x", (2, None, 4)))
    assert "shape=" in caught.value.hint


@pytest.mark.parametrize(
    "make, shape",
    [
        (nn.Flatten, (2, 0, 4)),
        (nn.Flatten, (0, 3, 4)),
        (nn.Flatten, (2, 3, 4)),
        (lambda: nn.SelfAttention(4, heads=2), (2, 0, 4)),
        (lambda: nn.SelfAttention(4, heads=2, causal=True), (2, 0, 4)),
        (lambda: nn.SelfAttention(4, heads=2), (0, 3, 4)),
        (lambda: nn.SelfAttention(4), (0, 4)),
        (lambda: nn.SelfAttention(4, heads=2), (2, 0, 3, 4)),
        (lambda: nn.SelfAttention(4, heads=2), (2, 5, 3, 4)),
    ],
)
def test_a_layer_takes_no_examples_and_one_unknown_length(make, shape):
    expected = (shape[0], shape[1] * shape[2]) if make is nn.Flatten else shape
    x = mg.tensor(np.zeros(shape), requires_grad=True)
    mg.sum(make()(x)).backward()
    assert make()(x).shape == expected and x.grad.shape == shape
    for axis in range(len(shape) - 2):
        declared = [None if a == axis else n for a, n in enumerate(shape)]
        if 0 in declared:
            continue
        with mg.Graph() as graph:
            fed = mg.placeholder("x", declared)
            y = make()(fed)
        assert mg.Session(graph).run(y, {fed: np.zeros(shape)}).shape == expected


@pytest.mark.parametrize(
    "make, shape",
    [
        (nn.Flatten, (None, None, 3)),
        (nn.Flatten, (None, 0, 3)),
        (nn.Flatten, (0, None, 3)),
        (lambda: nn.SelfAttention(4), (None, None, 3, 4)),
        (lambda: nn.SelfAttention(4), (0, None, 3, 4)),
    ],
)
def test_a_layer_that_cannot_compute_two_unknown_lengths_says_so(make, shape):
    with mg.Graph(), pytest.raises(mg.ShapeError) as caught:
        make()(mg.placeholder("x", shape))
    message = caught.value.message
    assert message.startswith(f"{type(make()).__name__} cannot compute the unknown lengths of [")
    assert "all but one" in caught.value.hint


def test_norms_normalise():
    x = 5 + 3 * RNG.normal(size=(50, 4))
    rows = nn.LayerNorm(4)(x).data
    np.testing.assert_allclose([rows.mean(1), rows.std(1)], [np.zeros(50), np.ones(50)], atol=1e-4)
    columns = nn.BatchNorm(4)(x).data
    np.testing.assert_allclose([columns.mean(0), columns.std(0)], [[0] * 4, [1] * 4], atol=1e-4)


def test_batch_norm_keeps_running_statistics_in_both_engines():
    batches = RNG.normal(2.0, 3.0, size=(5, 20, 3))
    dynamic = nn.BatchNorm(3, momentum=0.5)
    for batch in batches:
        dynamic(batch)
    with mg.Graph() as graph:
        static = nn.BatchNorm(3, momentum=0.5)
        x = mg.placeholder("x", shape=(None, 3))
        trained = static(x)
        run = mg.group(trained, *static.updates())
        evaluated = static.eval()(x)
    session = mg.Session(graph)
    for batch in batches:
        session.run(run, {x: batch})
    mean, var = np.zeros(3), np.ones(3)
    for batch in batches:
        mean += 0.5 * (batch.mean(0) - mean)
        var += 0.5 * (batch.var(0, ddof=1) - var)
    for state in (dynamic.state_dict(), static.state_dict(session)):
        np.testing.assert_allclose(state["mean"], mean)
        np.testing.assert_allclose(state["var"], var)
        assert list(state) == ["gain", "bias", "mean", "var"]
    expected = (batches[0] - mean) / np.sqrt(dynamic.var.data + 1e-5)
    np.testing.assert_allclose(dynamic.eval()(batches[0]).data, expected)
    np.testing.assert_allclose(session.run(evaluated, {x: batches[0]}), expected)


def test_batch_norm_needs_two_entries_in_training_and_one_in_evaluation():
    layer, one = nn.BatchNorm(3), RNG.normal(size=(1, 3))
    with pytest.raises(mg.ShapeError, match="divides by n - 1, and n is only 1") as caught:
        layer(one)
    assert "larger batches" in caught.value.hint and (layer.mean.data == 0).all()
    np.testing.assert_allclose(layer.eval()(one).data, one / np.sqrt(1 + 1e-5))
    for length in (1, None):
        with mg.Graph() as graph:
            layer, x = nn.BatchNorm(3), mg.placeholder("x", shape=(length, 3))
            with pytest.raises(mg.ShapeError, match="divides by n - 1, and n is only 1"):
                step = mg.group(layer(x), *layer.updates())
                mg.Session(graph).run(step, {x: one})


def test_batch_norm_of_tensors_does_not_train_inside_a_traced_function():
    layer = nn.BatchNorm(2)
    f = mg.function(lambda x: layer(x))
    with pytest.raises(mg.GraphError, match="keeps running averages in training") as caught:
        f(RNG.normal(size=(3, 2)))
    assert "call eval() first" in caught.value.hint and (layer.mean.data == 0).all()
    x = RNG.normal(size=(3, 2))
    layer.eval()
    np.testing.assert_array_equal(f(x).data, layer(x).data)


@pytest.mark.parametrize(
    "layer, shape",
    [
        (nn.LayerNorm(4), (2, 1)),
        (nn.LayerNorm(4), (2, 5)),
        (nn.LayerNorm(1), (2, 4)),
        (nn.LayerNorm((3, 4)), (2, 4, 3)),
        (nn.LayerNorm((3, 4)), (4,)),
        (nn.BatchNorm(4), (5, 1)),
        (nn.BatchNorm(1), (5, 4)),
        (nn.BatchNorm(4), (4,)),
        (nn.BatchNorm(4).eval(), (5, 1)),
    ],
    ids=lambda v: str(v) if isinstance(v, tuple) else type(v).__name__,
)
def test_a_norm_of_other_lengths_is_refused_not_stretched(layer, shape):
    with pytest.raises(mg.ShapeError, match="Norm for entries of .* cannot take"):
        layer(np.ones(shape))
    with mg.Graph():
        x = mg.placeholder("x", shape=(None, *shape[1:]))
        with pytest.raises(mg.ShapeError, match="Norm for entries of .* cannot take"):
            type(layer)(layer.gain.shape if len(layer.gain.shape) > 1 else len(layer.gain.data))(x)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nn.Linear(0, 2), "inputs=0"),
        (lambda: nn.Linear(2, -1), "outputs=-1"),
        (lambda: nn.Conv2d(1, 2.0, 3), "outputs=2.0"),
        (lambda: nn.Conv2d(1, 2, (3, 0)), "width=0"),
        (lambda: nn.RNNCell(True, 2), "inputs=True"),
        (lambda: nn.LayerNorm((2, 0)), "size.1.=0"),
        (lambda: nn.BatchNorm("3"), "size='3'"),
        (lambda: nn.SelfAttention(4, heads=0), "heads=0"),
        (lambda: nn.SelfAttention(4, heads=3), "size=4 is not a multiple of heads=3"),
        (lambda: nn.Conv2d(1, 2, (3, 3, 3)), r"size=\(3, 3, 3\)"),
        (lambda: nn.Conv2d(1, 2, (3,)), r"size=\(3,\)"),
        (lambda: nn.Dropout("a"), "the dropout rate 'a' is not in the range"),
        (lambda: nn.Dropout(7).eval(), "the dropout rate 7 is not in the range"),
        (lambda: nn.Dropout(0.5, seed=-1), "the seed -1 is not a whole number"),
        (lambda: nn.Linear(1, 1).load_state_dict(3), "the state has the type int"),
    ],
)
def test_a_layer_says_which_of_its_arguments_it_cannot_take(make, message):
    with raises_saying(mg.ArgumentError, message):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda kind: nn.Linear(3, 2, dtype=kind),
        lambda kind: nn.Conv2d(1, 2, 3, dtype=kind),
        lambda kind: nn.Embedding(3, 2, dtype=kind),
        lambda kind: nn.SelfAttention(2, dtype=kind),
        lambda kind: nn.RNNCell(3, 2, dtype=kind),
        lambda kind: nn.LayerNorm(3, dtype=kind),
        lambda kind: nn.BatchNorm(3, dtype=kind),
    ],
)
def test_a_layer_of_an_unknown_dtype_is_refused(make):
    with pytest.raises(mg.DtypeError) as caught:
        make("foo")
    assert caught.value.message == "'foo' is not a dtype"
    with pytest.raises(mg.DtypeError):
        make(int)


@pytest.mark.parametrize("layer", [[nn.ReLU()], 3, None])
def test_a_sequential_of_a_list_says_how_to_pass_it(layer):
    with pytest.raises(mg.UsageError) as caught:
        nn.Sequential(layer)
    assert caught.value.message.startswith(f"a layer has the type {type(layer).__name__}")
    assert "Sequential(*layers)" in caught.value.hint


@pytest.mark.parametrize("what", ["state_dict", "load_state_dict", "save"])
def test_what_is_no_session_is_said(what, tmp_path):
    with mg.Graph() as graph:
        model = nn.Linear(1, 1)
    optimizer, state = optim.SGD(model.parameters()), model.state_dict(mg.Session(graph))
    calls = {
        "state_dict": [lambda: model.state_dict(3), lambda: optimizer.state_dict(3)],
        "load_state_dict": [lambda: model.load_state_dict(state, 3)],
        "save": [lambda: model.save(tmp_path / "w.npz", session=3)],
    }
    for call in calls[what]:
        with pytest.raises(mg.ArgumentError) as caught:
            call()
        assert caught.value.message == "session=3 is not a Session"


def test_dropout_draws_anew_in_training_and_rests_in_evaluation():
    x = np.ones((10, 10))
    net = nn.Sequential(nn.Dropout(0.5, seed=1), nn.ReLU())
    first, second = net(x), net(x)
    assert not np.array_equal(first, second) and set(np.unique(first)) == {0, 2}
    assert net.eval()(x) is not None and np.array_equal(net(x), x) and not net.layers[0].training
    assert net.train().layers[0].training
    with mg.Graph() as graph:
        node = nn.Dropout(0.5, seed=1)(mg.constant(x))
    session = mg.Session(graph)
    assert not np.array_equal(session.run(node), session.run(node))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_dropout_keeps_the_mean_and_its_gradient_is_its_mask(dtype):
    layer, x = nn.Dropout(0.3), mg.tensor(np.ones((200, 500), dtype), requires_grad=True)
    y = layer(x)
    y.backward(np.ones(y.shape, dtype))
    np.testing.assert_array_equal(np.unique(y.data), np.array([0, 1 / dtype(0.7)], dtype))
    assert abs(y.data.mean() - 1) < 0.01 and y.dtype == x.grad.dtype == dtype
    np.testing.assert_array_equal(x.grad.data, y.data)


def test_no_two_dropouts_and_no_two_calls_thin_out_the_same_entries():
    x = np.ones((20, 20))
    first, second = nn.Dropout(0.5), nn.Dropout(0.5)
    with mg.Graph() as graph:
        node, layer = mg.constant(x), nn.Dropout(0.5)
        nodes = [layer(node), layer(node), nn.Dropout(0.5)(node)]
    session = mg.Session(graph)
    drawn = [first(x), second(x), first(x)]
    for masks in (drawn, session.run(nodes) + session.run(nodes)):
        assert len({mask.tobytes() for mask in masks}) == len(masks)
        assert all(0.3 < (a == b).mean() < 0.7 for a, b in itertools.pairwise(masks))


def test_a_manual_seed_repeats_weights_and_draws():
    def built(seed):
        nn.manual_seed(seed)
        return nn.Linear(2, 2).W.numpy(), nn.Dropout(0.5)(np.ones(50))

    for a, b, other in zip(built(3), built(3), built(4)):
        assert np.array_equal(a, b) and not np.array_equal(a, other)


class Held(nn.Module):
    """A module that holds values and parts in lists, tuples and dicts, some of them twice."""

    def __init__(self):
        self.table = nn.parameter(np.ones((2, 2)), "table")
        self.weights = [nn.parameter(np.ones(2), "a"), (nn.parameter(np.zeros(2), "b"), "text")]
        self.parts = {"on": nn.Linear(2, 2), "off": [nn.Dropout(0.5), nn.BatchNorm(2)]}
        self.again, self.tied = self.parts["on"], self.table

    def forward(self, x):
        """Uses all of it."""
        self.last = self.parts["off"][1](self.again(x @ self.table) @ self.tied)
        return self.last * self.weights[0] + self.weights[1][0]


HELD = [
    "table",
    "weights.0",
    "weights.1.0",
    "parts.on.W",
    "parts.on.b",
    "parts.off.1.gain",
    "parts.off.1.bias",
]


def test_values_and_parts_are_found_in_lists_and_dicts_and_trained_once():
    model = Held()
    model(np.eye(2))
    assert [name for name, _ in model.named_parameters()] == HELD
    assert list(model.state_dict()) == [
        *HELD,
        "parts.off.1.mean",
        "parts.off.1.var",
        "again.W",
        "again.b",
        "tied",
    ]
    assert [type(m).__name__ for m in model.modules()] == ["Held", "Linear", "Dropout", "BatchNorm"]
    model.eval()
    assert not any(m.training for m in model.modules())
    with mg.Graph():
        static = Held()
        static(mg.placeholder("x", shape=(None, 2)))
        assert [name for name, _ in static.named_parameters()] == HELD
        assert len(static.updates()) == 2


class Clash(nn.Module):
    def __init__(self, make):
        self.parts = make(*(nn.parameter(np.ones(1), name) for name in "pq"))


@pytest.mark.parametrize(
    "make, name",
    [
        (lambda p, q: {"a.b": p, "a": {"b": q}}, "parts.a.b"),
        (lambda p, q: {1: p, "1": q}, "parts.1"),
    ],
)
def test_a_name_of_two_values_is_refused_and_loses_none(make, name):
    model = Clash(make)
    assert len(model.parameters()) == 2
    state = {name: np.zeros(1)}
    for call in (
        model.state_dict,
        lambda: model.load_state_dict(state),
        lambda: model.check_fit(state),
    ):
        with pytest.raises(mg.ArgumentError) as caught:
            call()
        assert caught.value.message == f"two values in the module are called {name}"
    assert [p.item() for p in model.parameters()] == [1, 1]
    same = Clash(lambda p, q: {1: p, "1": p})
    assert list(same.state_dict()) == ["parts.1"]


def test_a_module_may_refer_to_itself_and_to_what_it_is_a_part_of():
    model = nn.Sequential(nn.Linear(2, 1), nn.Sequential(nn.Linear(1, 1, bias=False)))
    before = list(model.state_dict())
    model.whole, model.both = model, [model[0], model]
    model[0].above = model[1][0].above = model
    model[1][0].before = model[1]
    names = [*before, "both.0.W", "both.0.b"]
    assert [p.shape for p in model.parameters()] == [(2, 1), (1,), (1, 1)]
    assert list(model.state_dict()) == names == [name for name, _ in model.named_values()]
    model.load_state_dict(model.state_dict())
    assert len(model.modules()) == 4 and not model.eval()[1][0].training


def test_an_input_of_a_module_may_go_by_name():
    class Scaled(nn.Module):
        def forward(self, x, scale=1.0):
            return x * scale

    x = mg.ones((4, 3))
    assert Scaled()(x, scale=2.0).data.tolist() == (2 * x).data.tolist()
    linear, cell = nn.Linear(3, 2), nn.RNNCell(3, 2)
    assert (linear(x=x).data == linear(x).data).all()
    assert cell(x, h=mg.zeros((4, 2))).shape == cell(h=mg.zeros((4, 2)), x=x).shape == (4, 2)
    with mg.Graph():
        assert nn.Linear(3, 2)(x=mg.placeholder("x", (None, 3))).shape == (None, 2)


def test_a_state_of_tied_values_comes_back_and_may_not_untie_them():
    model, other = Held(), Held()
    with mg.no_grad():
        model.table[0] = 5.0
    state = model.state_dict()
    other.load_state_dict(state)
    assert other.tied is other.table and other.table.data.tolist() == model.table.data.tolist()
    with pytest.raises(
        mg.ArgumentError, match="table and tied share one value here, but the state has two"
    ):
        other.load_state_dict({**state, "tied": state["tied"] + 1})


def test_mse_compares_entry_by_entry_and_stretches_one_side_at_most():
    column, row = np.arange(3.0)[:, None], np.arange(3.0)
    with pytest.raises(mg.ShapeError, match=r"mse of \[3, 1\] and \[3\] would compare every entry"):
        mg.mse(mg.tensor(column), row)
    with mg.Graph():
        x, y = (mg.placeholder(shape=shape) for shape in ((None, 1), (None,)))
        with pytest.raises(mg.ShapeError, match="every entry with every other"):
            mg.mse(x, y)
        assert mg.mse(x, 1.0).shape == mg.mse(x, x).shape == ()
        x, y = (mg.placeholder(shape=shape) for shape in ((None, 2), (3, None)))
        loss = mg.mse(x, y)
        with pytest.raises(mg.ShapeError, match="would meet every entry of the other"):
            mg.Session().run(loss, {x: np.ones((1, 2)), y: np.ones((3, 1))})
        for rows in (1, 3):
            assert mg.Session().run(loss, {x: np.ones((rows, 2)), y: np.zeros((3, 2))}) == 1.0
    assert mg.mse(column, 1.0) == pytest.approx(2 / 3) == mg.mse(column * np.ones(4), np.ones(4))


def net():
    nn.manual_seed(1)
    return nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.BatchNorm(2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3)
    )


def test_a_net_of_both_engines_learns_the_same():
    x, labels = RNG.normal(size=(6, 1, 4, 4)), RNG.integers(0, 3, 6)
    model = net()
    optimizer, dynamic = optim.Adam(model.parameters(), lr=0.01), []
    for _ in range(20):
        loss = mg.cross_entropy(model(x), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        dynamic.append(loss.item())
    with mg.Graph() as graph:
        images = mg.placeholder("images", shape=(None, 1, 4, 4))
        model = net()
        loss = mg.cross_entropy(model(images), labels)
        step = mg.group(optim.Adam(lr=0.01).minimize(loss), *model.updates())
    session = mg.Session(graph)
    static = [session.run([loss, step], {images: x})[0] for _ in range(20)]
    np.testing.assert_allclose(dynamic, static, rtol=0, atol=1e-10)
    assert dynamic[-1] < 0.6 * dynamic[0]


def test_weights_go_to_a_file_and_back_in_either_engine(tmp_path):
    path = tmp_path / "weights.npz"
    model = net()
    model.layers[1](RNG.normal(size=(4, 2, 2, 2)))
    model.save(path)
    nn.manual_seed(7)
    other = nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.BatchNorm(2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3)
    )
    other.load(path)
    for (name, a), (_, b) in zip(model.named_values(), other.named_values(), strict=True):
        np.testing.assert_array_equal(a.data, b.data, err_msg=name)
    with mg.Graph() as graph:
        static = net()
    session = mg.Session(graph)
    static.load(path, session)
    np.testing.assert_array_equal(
        static.state_dict(session)["layers.1.mean"], model.layers[1].mean.data
    )


def test_a_state_that_does_not_fit_changes_nothing():
    model = nn.Linear(2, 3)
    before = model.state_dict()
    for state, text in [
        ({"W": before["W"]}, "differ in b"),
        ({**before, "c": 1}, "differ in c"),
        ({"W": before["W"] + 1, "b": np.zeros(2)}, "b is float64"),
        ({"W": np.float32(before["W"]), "b": before["b"]}, "W is float64"),
    ]:
        with raises_saying(mg.MinigradError, text):
            model.load_state_dict(state)
        np.testing.assert_array_equal(model.W.data, before["W"])
    with mg.Graph():
        static = nn.Linear(2, 3)
    with pytest.raises(
        mg.ArgumentError, match="W is a Variable, so its value is stored in a Session"
    ):
        static.state_dict()


def test_a_save_of_weights_that_fails_keeps_the_old_file(tmp_path, monkeypatch):
    model, path = nn.Linear(2, 3), tmp_path / "weights.npz"
    model.save(path)
    old = model.state_dict()
    with mg.no_grad():
        model.W[...] = 5.0

    def full(*_):
        raise OSError("no space left")

    with monkeypatch.context() as patch, pytest.raises(OSError):
        patch.setattr("os.replace", full)
        model.save(path)
    model.load(path)
    np.testing.assert_array_equal(model.W.data, old["W"])
    assert [p.name for p in tmp_path.iterdir()] == ["weights.npz"]


def test_any_names_of_parts_are_saved_and_a_path_may_lack_its_ending(tmp_path):
    class Odd(nn.Module):
        def __init__(self):
            self.file, self.allow_pickle = nn.parameter(np.ones(2), "f"), nn.Linear(1, 1)

    model = Odd()
    model.allow_pickle.file = nn.parameter(np.ones(3), "g")
    model.save(str(tmp_path / "weights"))
    with mg.no_grad():
        model.file[...] = 7.0
    model.load(tmp_path / "weights")
    assert (tmp_path / "weights.npz").exists() and model.file.data.tolist() == [1, 1]


def test_reading_the_state_of_a_session_runs_nothing():
    with mg.Graph() as graph:
        model = nn.Linear(2, 3)
        draw = mg.random_uniform((4,), seed=1)
    alone, watched = mg.Session(graph), mg.Session(graph)
    drawn = [alone.run(draw) for _ in range(3)]
    for one in drawn:
        model.state_dict(watched)
        np.testing.assert_array_equal(watched.run(draw), one)


def test_a_file_with_pickled_objects_is_refused(tmp_path):
    np.savez(tmp_path / "bad.npz", W=np.array([print], dtype=object), b=np.zeros(3))
    (tmp_path / "text.npz").write_text("no archive")
    np.save(tmp_path / "one.npy", np.zeros(3))
    (tmp_path / "one.npy").rename(tmp_path / "one.npz")
    for name in ("bad.npz", "text.npz", "one.npz"):
        with pytest.raises(mg.ArgumentError, match=f"{name} is not a file of weights"):
            nn.Linear(2, 3).load(tmp_path / name)


# what a module says of itself --------------------------------------------------------------------


def small_net():
    nn.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.BatchNorm(2), nn.Sequential(nn.ReLU(), nn.Flatten()), mg.softmax
    )


SUMMARY = """Sequential, 24 parameters
  layers.0           Conv2d      W [2, 1, 3, 3], b [2, 1, 1]            20
  layers.1           BatchNorm   gain [2], bias [2], mean [2], var [2]   4
  layers.2           Sequential
  layers.2.layers.0  ReLU
  layers.2.layers.1  Flatten
  layers.3           softmax"""


def test_a_net_prints_its_parts_their_shapes_and_parameters():
    assert str(small_net()) == SUMMARY
    with mg.Graph():
        assert str(small_net()) == SUMMARY
    assert str(nn.ReLU()) == "ReLU, 0 parameters"
    assert str(nn.Embedding(1, 1)) == "Embedding, 1 parameter\n  W [1, 1]  1"


class Tied(nn.Module):
    def __init__(self):
        self.scale, self.first = nn.parameter(np.ones(2000), "scale"), nn.Linear(2, 3, bias=False)
        self.heads = {"a": self.first, "b": nn.Linear(2, 3, bias=False)}
        self.heads["b"].W, self.act, self.whole = self.first.W, mg.tanh, [self]

    def forward(self, x):
        return x


def test_what_is_shared_is_counted_once_and_a_module_may_hold_itself():
    title, *lines = str(Tied()).splitlines()
    assert title == "Tied, 2,006 parameters"
    assert [line.split() for line in lines] == [
        ["scale", "[2000]", "2,000"],
        ["first", "Linear", "W", "[2,", "3]", "6"],
        ["heads.a", "Linear"],
        ["heads.b", "Linear", "W", "[2,", "3]"],
        ["act", "tanh"],
        ["whole.0", "Tied"],
    ]


def test_a_sequential_has_a_length_and_parts():
    net = small_net()
    assert (len(net), net[1], net[-1]) == (4, net.layers[1], mg.softmax)
    assert list(net) == net.layers and list(net[1:3]) == net.layers[1:3]
    assert isinstance(net[:2], nn.Sequential) and net[:2].parameters() == net.parameters()
    x = np.random.default_rng(0).normal(size=(2, 1, 4, 4))
    np.testing.assert_allclose(mg.sum(net(x), -1).numpy(), [1, 1])


# losses and embeddings ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [float, int, bool, np.float32])
def test_one_hot_labels_give_the_loss_and_gradient_of_whole_numbers(kind):
    x, labels = np.random.default_rng(0).normal(size=(4, 3)), np.array([0, 2, 1, 1])
    rows = np.eye(3, dtype=kind)[labels]
    for given in (rows, rows.tolist(), mg.tensor(rows), mg.one_hot(labels, 3)):
        expected = mg.value_and_grad(mg.cross_entropy)(x, labels)
        found = mg.value_and_grad(mg.cross_entropy)(x, given)
        for a, b in zip(found, expected):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-13)
    with mg.Graph() as graph:
        scores, fed = mg.placeholder("x", (None, 3)), mg.placeholder("labels", (None, 3), kind)
        loss = nn.CrossEntropyLoss()(scores, fed)
    run = mg.Session(graph).run(loss, {scores: x, fed: rows})
    np.testing.assert_allclose(run, mg.cross_entropy(x, labels), rtol=1e-13)


def test_a_loss_of_rows_keeps_float32_and_differentiates_by_the_labels():
    x, rows = np.random.default_rng(0).normal(size=(4, 3)), mg.softmax(np.eye(4, 3))
    assert mg.cross_entropy(mg.tensor(x, dtype=np.float32), rows).dtype == np.float32
    assert mg.gradcheck(mg.cross_entropy, x, rows, order=2)


@pytest.mark.parametrize("shape", [(), (2,), (2, 3)])
def test_an_embedding_gives_a_row_for_each_number(shape):
    numbers = np.random.default_rng(0).integers(0, 5, shape)
    layer = nn.Embedding(5, 2)
    y = layer(numbers)
    np.testing.assert_array_equal(y.numpy(), layer.W.numpy()[numbers])
    mg.sum(y).backward()
    counts = np.bincount(numbers.ravel(), minlength=5)[:, None]
    np.testing.assert_array_equal(layer.W.grad.numpy(), np.repeat(counts, 2, 1))
    with mg.Graph() as graph:
        layer, x = nn.Embedding(5, 2), mg.placeholder("x", (None,) * len(shape), int)
        y = layer(x)
    assert mg.Session(graph).run(y, {x: numbers}).shape == (*shape, 2)


def test_an_embedding_says_what_it_cannot_find():
    layer = nn.Embedding(5, 2)
    with pytest.raises(mg.ArgumentError, match="index 5 is out of bounds"):
        layer(np.array([0, 5]))
    with pytest.raises(mg.DtypeError, match="indices of dtype float64"):
        layer(np.array([0.0]))
    with pytest.raises(mg.ArgumentError, match="count=0"):
        nn.Embedding(0, 2)


def test_a_net_forgets_the_gradients_of_its_parameters():
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    mg.sum(net(np.ones((1, 2)))).backward()
    assert all(p.grad is not None for p in net.parameters())
    net.zero_grad()
    assert all(p.grad is None for p in net.parameters())
    with mg.Graph():
        static = nn.Linear(2, 3)
    with pytest.raises(mg.MissingError, match="zero_grad"):
        static.zero_grad()
