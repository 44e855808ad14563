"""Layers and optimisers: both engines learn the same, and as the formulas say."""

import numpy as np
import pytest
from saying import raises_saying

import minigrad as mg
from minigrad import nn, optim

OPTIMIZERS = {
    "sgd": lambda p=None: optim.SGD(p, lr=0.1),
    "decay": lambda p=None: optim.SGD(p, lr=0.1, weight_decay=0.05),
    "momentum": lambda p=None: optim.SGD(p, lr=0.05, momentum=0.9),
    "nesterov": lambda p=None: optim.SGD(
        p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01
    ),
    "adam": lambda p=None: optim.Adam(p, lr=0.01),
    "adam with decay": lambda p=None: optim.Adam(p, lr=0.01, weight_decay=0.1),
    "rmsprop": lambda p=None: optim.RMSprop(p, lr=0.01),
    "rmsprop with momentum": lambda p=None: optim.RMSprop(
        p, 0.002, momentum=0.5, weight_decay=0.01
    ),
    "adamw": lambda p=None: optim.AdamW(p, lr=0.01, weight_decay=0.1),
    "clipped": lambda p=None: optim.SGD(p, lr=0.1, clip_norm=0.5),
    "step decay": lambda p=None: optim.SGD(p, lr=optim.step_decay(0.2, every=10, factor=0.5)),
    "cosine": lambda p=None: optim.Adam(p, lr=optim.cosine(0.02, steps=20, floor=0.001)),
    "warmup": lambda p=None: optim.SGD(p, lr=optim.warmup(optim.cosine(0.2, 25), 5), momentum=0.5),
}
named = pytest.mark.parametrize("make", OPTIMIZERS.values(), ids=OPTIMIZERS)
RNG = np.random.default_rng(0)
X, LABELS = RNG.normal(size=(12, 4)), RNG.integers(0, 3, 12)


def net():
    nn.manual_seed(1)
    return nn.Sequential(
        nn.Linear(4, 5),
        nn.Tanh(),
        nn.Linear(5, 3),
        nn.Sigmoid(),
        nn.Linear(3, 3, bias=False),
        nn.ReLU(),
    )


def dynamic_losses(make, steps):
    model = net()
    optimizer, losses = make(model.parameters()), []
    for _ in range(steps):
        loss = mg.cross_entropy(model(X), LABELS)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, [p.numpy() for p in model.parameters()]


def static_losses(make, steps):
    with mg.Graph() as graph:
        x = mg.placeholder("x", shape=(None, 4))
        model = net()
        loss = mg.cross_entropy(model(x), LABELS)
        update = make().minimize(loss)
    session = mg.Session(graph)
    losses = [session.run([loss, update], {x: X})[0].item() for _ in range(steps)]
    return losses, session.run(model.parameters())


@named
def test_both_engines_learn_the_same_and_learn(make):
    dynamic, dynamic_weights = dynamic_losses(make, 30)
    static, static_weights = static_losses(make, 30)
    np.testing.assert_allclose(dynamic, static, rtol=0, atol=1e-10)
    for a, b in zip(dynamic_weights, static_weights, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-10)
    assert dynamic[-1] < dynamic[0]


def stepped(make, grads):
    """The weight after the given gradients, from 1."""
    w = mg.tensor(1.0, requires_grad=True)
    optimizer = make([w])
    for g in grads:
        w.grad = mg.tensor(g)
        optimizer.step()
    return w.item()


def test_schedules_are_the_formulas_they_say():
    decay, half = optim.step_decay(1.0, every=10), optim.cosine(2.0, steps=10, floor=1.0)
    assert [decay(t) for t in (0, 9, 10, 25)] == pytest.approx([1, 1, 0.1, 0.01])
    assert [half(t) for t in (0, 5, 10, 99)] == pytest.approx([2, 1.5, 1, 1])
    assert [optim.warmup(4.0, 4)(t) for t in (0, 1, 3, 9)] == pytest.approx([1, 2, 4, 4])


def test_clipping_keeps_the_direction_and_bounds_the_joint_length():
    a, b = (mg.tensor([0.0, 0.0], requires_grad=True) for _ in range(2))
    optimizer = optim.SGD([a, b], lr=1.0, clip_norm=1.0)
    a.grad, b.grad = mg.tensor([3.0, 0.0]), mg.tensor([0.0, 4.0])
    optimizer.step()
    np.testing.assert_allclose(np.concatenate([a.data, b.data]), [-0.6, 0, 0, -0.8], rtol=1e-6)
    a.grad, b.grad = mg.tensor([0.3, 0.0]), mg.tensor([0.0, 0.4])
    optimizer.step()
    np.testing.assert_allclose(a.data, [-0.9, 0], rtol=1e-6)


def test_updates_by_hand():
    assert stepped(OPTIMIZERS["sgd"], [0.5, -1.0]) == pytest.approx(1 - 0.1 * 0.5 + 0.1)
    assert stepped(OPTIMIZERS["decay"], [0.5]) == pytest.approx(1 - 0.1 * (0.5 + 0.05))
    assert stepped(OPTIMIZERS["momentum"], [1.0, 1.0]) == pytest.approx(1 - 0.05 * (1 + 1.9))
    v = 1.0 + 0.01
    first = 1 - 0.05 * (v + 0.9 * v)
    assert stepped(OPTIMIZERS["nesterov"], [1.0]) == pytest.approx(first)
    assert stepped(OPTIMIZERS["rmsprop"], [3.0]) == pytest.approx(1 - 0.01 / 0.01**0.5, abs=1e-8)
    assert stepped(OPTIMIZERS["adam"], [3.0]) == pytest.approx(1 - 0.01, abs=1e-9)


def test_a_parameter_without_gradient_stays_and_float32_stays_float32():
    a = mg.tensor(np.float32([1, 2]), requires_grad=True)
    b = mg.tensor(1.0, requires_grad=True)
    for make in OPTIMIZERS.values():
        a.grad = mg.tensor(np.float32([1, 1]))
        make([a, b]).step()
    assert a.dtype == np.float32 and b.item() == 1


@named
def test_a_step_changes_no_gradient_and_no_array_that_others_hold(make):
    w = mg.tensor(np.ones((2, 3)), requires_grad=True)
    w.grad = mg.tensor(np.full((2, 3), 2.0))
    held, optimizer = w.detach(), make([w])
    optimizer.step()
    optimizer.step()
    assert (held.data == 1).all() and (w.grad.data == 2).all() and (w.data < 1).all()


def test_a_gradient_of_another_shape_is_refused_where_it_is_assigned():
    a, b = (mg.tensor(np.ones(2), requires_grad=True) for _ in range(2))
    a.grad, b.grad = mg.tensor(np.ones(2)), mg.tensor(np.zeros(2))
    for wrong in (mg.tensor(np.ones((3, 2))), np.ones(3), [1.0]):
        with raises_saying(mg.ShapeError, "the gradient float64.* does not fit"):
            b.grad = wrong
    optim.Adam([a, b], lr=0.1).step()
    assert a.data == pytest.approx([0.9, 0.9]) and b.data.tolist() == [1, 1]


def test_minimize_changes_only_trainable_variables_of_its_own_graph_that_matter():
    with mg.Graph() as graph:
        w = mg.Variable(1.0, name="w")
        frozen = mg.Variable(2.0, name="frozen", trainable=False)
        unused = mg.Variable(3.0, name="unused")
        step = optim.SGD(lr=0.5).minimize(w * frozen)
        only = optim.SGD([frozen], lr=0.5).minimize(w * frozen)
    session = mg.Session(graph)
    session.run(step)
    assert session.run([w, frozen, unused]) == [0, 2, 3]
    session.run(step)
    session.run(only)
    assert session.run([w, frozen, unused]) == [-1, 2.5, 3]


def test_modules_name_their_parameters():
    model = net()
    assert [name for name, _ in model.named_parameters()] == [
        "layers.0.W",
        "layers.0.b",
        "layers.2.W",
        "layers.2.b",
        "layers.4.W",
    ]
    assert isinstance(model.parameters()[0], mg.Tensor)
    with mg.Graph():
        assert all(isinstance(p, mg.Variable) for p in net().parameters())


class Residual(nn.Module):
    """A module of a learner's own."""

    def __init__(self):
        self.inner, self.scale = nn.Linear(2, 2), nn.parameter(np.ones(2), "scale")

    def forward(self, x):
        return x + self.inner(x) * self.scale


def test_a_module_of_ones_own():
    model = Residual()
    assert [name for name, _ in model.named_parameters()] == ["inner.W", "inner.b", "scale"]
    x = mg.tensor(np.ones((3, 2)))
    np.testing.assert_allclose(model(x).numpy(), 1 + np.ones((3, 2)) @ model.inner.W.numpy())


def test_initial_weights_are_repeatable_and_differ_between_layers():
    first, second = net(), net()
    for a, b in zip(first.parameters(), second.parameters()):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    nn.manual_seed(0)
    assert not np.array_equal(nn.Linear(3, 3).W.numpy(), nn.Linear(3, 3).W.numpy())


# float32 -----------------------------------------------------------------------------------------


def first_steps(engine, make, dtype, slope, count=1, state=None):
    """What `count` updates from 0 along a fixed slope come to, and the state that is kept."""
    if engine == "dynamic":
        w = mg.tensor(np.zeros(3, dtype), requires_grad=True)
        optimizer = make([w])
        if state:
            optimizer.load_state_dict(state)
        w.grad = mg.tensor(np.full(3, slope, dtype))
        for _ in range(count):
            optimizer.step()
        return w.data[0], optimizer.state_dict()
    with mg.Graph() as graph:
        w = mg.Variable(np.zeros(3, dtype))
        optimizer = make([w])
        step = optimizer.minimize(mg.sum(w * np.full(3, slope, dtype)))
    session = mg.Session(graph)
    if state:
        optimizer.load_state_dict(state, session)
    for _ in range(count):
        session.run(step)
    return session.run(w)[0], optimizer.state_dict(session)


engines = pytest.mark.parametrize("engine", ["dynamic", "static"])


@engines
@pytest.mark.parametrize("t", [0, 1, 30, 10_000, 2**24, 2**24 + 7])
def test_adam_in_float32_corrects_as_in_float64_however_many_steps_were_made(engine, t):
    state = {"0.m": np.full(3, 0.5), "0.v": np.full(3, 0.25), "0.t": np.array(float(t))}
    wide, _ = first_steps(engine, optim.Adam, np.float64, 0.75, state=state)
    narrow = {n: a if n == "0.t" else np.float32(a) for n, a in state.items()}
    found, kept = first_steps(engine, optim.Adam, np.float32, 0.75, state=narrow)
    assert found.dtype == np.float32 and kept["0.m"].dtype == np.float32
    assert found == pytest.approx(wide, rel=4e-7) and kept["0.t"] == t + 1


@engines
@pytest.mark.parametrize(
    "name",
    [
        *"sgd momentum nesterov adam adamw rmsprop cosine clipped".split(),
        *("step decay", "adam with decay", "rmsprop with momentum"),
    ],
)
def test_a_float32_weight_moves_in_float32(engine, name, monkeypatch):
    dtypes = set()

    def seen(rule):
        def update(self, w, g, lr, **state):
            step, state = rule(self, w, g, lr, **state)
            dtypes.update({step.dtype, *(a.dtype for a in state.values() if a.shape)})
            return step, state

        return update

    for kind in (optim.SGD, optim.RMSprop, optim.Adam, optim.AdamW):
        monkeypatch.setattr(kind, "update", seen(kind.update))
    first_steps(engine, OPTIMIZERS[name], np.float32, 0.5, count=3)
    assert dtypes == {np.dtype(np.float32)}


@engines
@pytest.mark.parametrize("kind", [float, np.float64, np.float32, int])
def test_settings_are_numbers_of_any_kind_and_widen_nothing(engine, kind):
    made = optim.SGD(lr=kind(1), momentum=kind(2), weight_decay=kind(3), clip_norm=kind(4))
    assert {type(v) for v in (made.lr, made.momentum, made.weight_decay, made.clip_norm)} == {float}
    found, _ = first_steps(engine, lambda p: optim.Adam(p, kind(1), eps=kind(1)), np.float32, 1.0)
    assert found.dtype == np.float32


@engines
@pytest.mark.parametrize("dtype, slope", [(np.float32, 1e30), (np.float16, 1e4)])
def test_the_length_of_large_narrow_gradients_does_not_overflow(engine, dtype, slope):
    found, _ = first_steps(engine, lambda p: optim.SGD(p, 1.0, clip_norm=3.0), dtype, slope)
    assert found == pytest.approx(-(3**0.5), rel=1e-3)


@engines
@named
def test_half_precision_moves_as_single_does_and_a_gradient_of_zero_moves_nothing(engine, make):
    slope = np.array([0, 0.5, 1e-3])

    def moved(dtype):
        if engine == "dynamic":
            w = mg.tensor(np.zeros(3, dtype), requires_grad=True)
            w.grad, optimizer = mg.tensor(slope.astype(dtype)), make([w])
            optimizer.step()
            optimizer.step()
            return w.data, optimizer.state_dict()
        with mg.Graph() as graph:
            w, optimizer = mg.Variable(np.zeros(3, dtype)), make()
            step = optimizer.minimize(mg.sum(w * slope.astype(dtype)))
        session = mg.Session(graph)
        session.run(step)
        session.run(step)
        return session.run(w), optimizer.state_dict(session)

    (found, state), (expected, _) = moved(np.float16), moved(np.float32)
    assert found.dtype == np.float16 and found[0] == 0
    np.testing.assert_allclose(found, expected, rtol=3e-3, atol=1e-6)
    assert not any(array.dtype == np.float16 for array in state.values())


def test_a_state_of_half_precision_from_an_earlier_version_is_loaded():
    w = mg.tensor(np.ones(2, np.float16), requires_grad=True)
    w.grad, optimizer = mg.tensor(np.float16([0, 1])), optim.SGD([w], 0.5, momentum=0.5)
    optimizer.load_state_dict({"0.velocity": np.float16([2, 2])})
    optimizer.step()
    assert w.data.tolist() == [0.5, 0] and optimizer.states[0]["velocity"].dtype == np.float32


# what is trained ---------------------------------------------------------------------------------


@engines
def test_a_parameter_given_twice_is_changed_once(engine):
    found, _ = first_steps(engine, lambda p: optim.SGD(p * 2, 0.5), np.float64, 1.0)
    assert found == -0.5


def test_a_generator_is_taken_and_a_list_that_changes_later_is_not_followed():
    w, b = (mg.tensor(np.ones(2), requires_grad=True) for _ in range(2))
    given = [w]
    listed, generated = optim.SGD(given), optim.SGD(p for p in (w, b))
    given.append(b)
    assert listed.parameters == [w] and len(generated.parameters) == 2


def test_no_parameters_are_not_all_parameters():
    with mg.Graph():
        mg.Variable(1.0)
        for none in ([], (), nn.ReLU().parameters(), iter([])):
            with pytest.raises(mg.ArgumentError, match="the list of parameters is empty"):
                optim.SGD(none, lr=0.1)


def test_an_optimiser_of_variables_says_how_to_step():
    with mg.Graph():
        optimizer = optim.Adam([mg.Variable(1.0, name="w")])
    for call in (optimizer.step, optimizer.zero_grad):
        with pytest.raises(mg.ArgumentError, match="w.* is a Variable") as caught:
            call()
        assert "minimize" in caught.value.hint


def test_a_weight_used_in_two_layers_gets_both_gradients_and_one_step():
    x = RNG.normal(size=(5, 3))

    def tied():
        nn.manual_seed(0)
        first, second = nn.Linear(3, 3), nn.Linear(3, 3, bias=False)
        second.W = first.W
        return nn.Sequential(first, nn.Tanh(), second)

    model = tied()
    W, b = (p.numpy() for p in model.parameters())
    slope = mg.grad(lambda W: mg.sum(mg.tanh(x @ W + b) @ W))(W)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    mg.sum(model(x)).backward()
    optimizer.step()
    np.testing.assert_allclose(model.layers[2].W.data, W - 0.1 * slope, rtol=1e-12)
    with mg.Graph() as graph:
        model = tied()
        step = optim.SGD(model.parameters(), lr=0.1).minimize(mg.sum(model(mg.constant(x))))
    session = mg.Session(graph)
    session.run(step)
    np.testing.assert_allclose(session.run(model.layers[0].W), W - 0.1 * slope, rtol=1e-12)


# minimize ----------------------------------------------------------------------------------------


@named
def test_minimize_builds_into_the_graph_of_its_loss_wherever_it_is_called(make):
    size = len(mg.default_graph().nodes)
    with mg.Graph() as graph:
        w = mg.Variable(np.ones(3))
        loss = mg.sum(w * w)
    with mg.Graph() as other:
        step = make().minimize(loss)
    outside = make().minimize(loss)
    assert (len(other.nodes), len(mg.default_graph().nodes)) == (0, size)
    session, twin = mg.Session(graph), mg.Session(graph)
    session.run(step)
    twin.run(outside)
    assert (session.run(w) < 1).all() and (session.run(w) == twin.run(w)).all()


@named
def test_two_losses_of_one_optimiser_share_what_it_keeps(make):
    model = mg.tensor(np.ones(3), requires_grad=True)
    dynamic = make([model])
    with mg.Graph() as graph:
        w = mg.Variable(np.ones(3))
        losses = [mg.sum(w * w), mg.sum(mg.sin(w))]
        static = make([w])
        steps = [static.minimize(loss) for loss in losses]
    session = mg.Session(graph)
    for turn in (0, 1, 1, 0, 1):
        dynamic.zero_grad()
        (mg.sum(model * model) if turn == 0 else mg.sum(mg.sin(model))).backward()
        dynamic.step()
        session.run(steps[turn])
        np.testing.assert_allclose(session.run(w), model.data, rtol=1e-13)
    ours, theirs = dynamic.state_dict(), static.state_dict(session)
    for name in theirs:
        np.testing.assert_allclose(theirs[name], ours[name], rtol=1e-13)


def test_moments_start_from_zeros_that_take_no_memory():
    with mg.Graph():
        w = mg.Variable(np.ones((50, 40), np.float32))
        for optimizer in (optim.Adam([w]), optim.AdamW([w]), optim.SGD([w], momentum=0.5)):
            start = optimizer.start(w.initial)
            assert all(a.strides == (0,) * a.ndim and not a.any() for a in start.values())
            assert all(a.dtype == w.dtype for a in start.values() if a.shape)


# states ------------------------------------------------------------------------------------------


def train(model, optimizer, steps, session=None, fetches=None):
    """The losses of some steps, in either engine."""
    losses = []
    for _ in range(steps):
        if session:
            losses.append(session.run(fetches)[0].item())
            continue
        loss = mg.cross_entropy(model(X), LABELS)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def static_training(make):
    """(model, optimiser, session, what a step fetches) of a new graph."""
    with mg.Graph() as graph:
        model = net()
        loss = mg.cross_entropy(model(mg.constant(X)), LABELS)
        optimizer = make(None)
        fetches = [loss, optimizer.minimize(loss)]
    return model, optimizer, mg.Session(graph), fetches


@named
def test_training_goes_on_in_either_engine_as_if_never_interrupted(make, tmp_path):
    model = net()
    optimizer = make(model.parameters())
    train(model, optimizer, 7)
    weights, path = model.state_dict(), tmp_path / "state.npz"
    np.savez(path, **optimizer.state_dict())
    expected = train(model, optimizer, 8)
    state = dict(np.load(path))

    other = net()
    other.load_state_dict(weights)
    resumed = make(other.parameters())
    resumed.load_state_dict(state)
    assert train(other, resumed, 8) == expected

    static, optimizer, session, fetches = static_training(make)
    static.load_state_dict(weights, session)
    train(static, optimizer, 3, session, fetches)
    static.load_state_dict(weights, session)
    optimizer.load_state_dict(state, session)
    np.testing.assert_allclose(
        train(static, optimizer, 4, session, fetches), expected[:4], rtol=1e-11
    )
    other, weights = net(), static.state_dict(session)
    other.load_state_dict(weights)
    resumed = make(other.parameters())
    resumed.load_state_dict(optimizer.state_dict(session))
    np.testing.assert_allclose(train(other, resumed, 4), expected[4:], rtol=1e-11)


def test_a_state_belongs_to_no_one_else():
    w = mg.tensor(np.ones(2), requires_grad=True)
    optimizer = optim.Adam([w])
    w.grad = mg.tensor(np.ones(2))
    optimizer.step()
    state = optimizer.state_dict()
    optimizer.load_state_dict(state)
    before = {name: np.array(a) for name, a in state.items()}
    optimizer.step()
    for name, array in state.items():
        np.testing.assert_array_equal(array, before[name])
        array[...] = -1
    assert (optimizer.state_dict()["0.v"] > 0).all()


def test_a_parameter_that_had_no_gradient_has_no_state_as_yet():
    a, b = (mg.tensor(np.ones(2), requires_grad=True) for _ in range(2))
    optimizer = optim.Adam([a, b])
    b.grad = mg.tensor(np.ones(2))
    optimizer.step()
    state = optimizer.state_dict()
    assert list(state) == ["steps", "1.m", "1.v", "1.t"]
    optimizer.load_state_dict(state)
    static, session = (lambda m: (m[1], m[2]))(static_training(lambda p: optim.Adam(p)))
    whole = static.state_dict(session)
    static.load_state_dict({n: a + 1 for n, a in whole.items() if n[0] == "2"}, session)
    now = static.state_dict(session)
    assert all((now[name] == (name[0] == "2")).all() for name in now) and set(now) == set(whole)


def test_a_state_that_does_not_fit_is_refused_before_anything_changes():
    w = mg.tensor(np.ones(2), requires_grad=True)
    w.grad = mg.tensor(np.ones(2))
    optimizer = optim.Adam([w], lr=optim.cosine(0.1, 5))
    optimizer.step()
    state = optimizer.state_dict()
    for wrong, text in [
        ({n: a for n, a in state.items() if n != "0.v"}, "differ in 0.v"),
        ({n: a for n, a in state.items() if n != "steps"}, "differ in steps"),
        ({**state, "1.m": np.ones(2)}, "differ in 1.m"),
        ({**state, "0.m": np.ones(3)}, r"0.m is float64\[2\], but the state has float64\[3\]"),
        ({**state, "0.m": np.ones(2, np.float32)}, "the state has float32"),
        ({"steps": 1.0, "0.velocity": np.ones(2)}, "differ in 0.m, 0.t, 0.v, 0.velocity"),
    ]:
        with raises_saying(mg.MinigradError, text):
            optimizer.load_state_dict(wrong)
    for name, array in optimizer.state_dict().items():
        np.testing.assert_array_equal(array, state[name])


def test_the_state_of_variables_is_that_of_a_session():
    _, optimizer, session, _ = static_training(lambda p: optim.Adam(p))
    for call in (optimizer.state_dict, lambda: optimizer.load_state_dict({})):
        with pytest.raises(mg.ArgumentError, match="its values are stored in a Session"):
            call()
    with pytest.raises(mg.ArgumentError, match="has no state in"):
        optimizer.state_dict(mg.Session(mg.Graph()))
    runs = session.runs
    optimizer.state_dict(session)
    assert session.runs == runs


def one_weight():
    """An optimiser of one weight."""
    return optim.SGD([mg.tensor(1.0, requires_grad=True)])


def test_parameters_without_brackets_are_to_be_called():
    with pytest.raises(mg.ArgumentError) as caught:
        optim.SGD(nn.Linear(1, 1).parameters)
    assert caught.value.hint == "call it: model.parameters()"


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: optim.SGD(lr=0), "the learning rate is 0"),
        (lambda: optim.Adam(clip_norm=-1), "the clip_norm is -1"),
        (lambda: optim.SGD([mg.tensor(1.0)]), "cannot be trained"),
        (lambda: optim.SGD().step(), "no parameters to step"),
        (lambda: optim.SGD(nesterov=True), "nesterov without momentum"),
        (lambda: optim.SGD().minimize(mg.tensor(1.0)), "the loss is not a Node"),
        (
            lambda: optim.SGD(mg.tensor([1.0], requires_grad=True)),
            "the parameters are not a list but one Tensor",
        ),
        (lambda: optim.SGD(nn.Linear(1, 1)), "the parameters are not a list but one Linear"),
        (lambda: optim.SGD(0.1), "the parameters are not a list but one float"),
        (lambda: optim.SGD(nn.Linear(1, 1).named_parameters()), "cannot be trained"),
        (lambda: optim.SGD(nn.Linear(1, 1).parameters), "not a list but one method"),
        (lambda: optim.SGD(object()), "not a list but one object"),
        (lambda: one_weight().load_state_dict({"steps": np.nan}), "the state has nan as its steps"),
        (lambda: one_weight().load_state_dict({"steps": np.inf}), "the state has inf as its steps"),
        (lambda: one_weight().load_state_dict({"steps": -1}), "the state has -1 as its steps"),
        (lambda: one_weight().load_state_dict({"steps": 1.5}), "the state has 1.5 as its steps"),
        (lambda: one_weight().load_state_dict({"steps": "a"}), "the state has a as its steps"),
        (lambda: one_weight().load_state_dict({"steps": [1, 2]}), "has .1 2. as its steps"),
        (lambda: one_weight().load_state_dict(3), "the state has the type int"),
        (lambda: optim.SGD([mg.tensor(1.0, requires_grad=True) * 2]), "cannot be trained"),
        (lambda: optim.SGD(lr=float("nan")), "the learning rate is nan"),
        (lambda: optim.SGD(lr="0.1"), "the learning rate is '0.1'"),
        (lambda: optim.SGD(clip_norm=lambda t: t), "the clip_norm is <function"),
        (lambda: optim.SGD(momentum=-0.5), "the momentum is -0.5"),
        (lambda: optim.SGD(weight_decay=-1), "the weight_decay is -1"),
        (lambda: optim.AdamW(weight_decay=None), "the weight_decay is None"),
        (lambda: optim.Adam(betas=(0.9, 1)), "the beta is 1"),
        (lambda: optim.AdamW(betas=0.9), "the betas are 0.9"),
        (lambda: optim.Adam(eps=-1e-8), "the eps is -1e-08"),
        (lambda: optim.step_decay(0.1, 0), "the every is 0"),
        (lambda: optim.cosine(0.1, -5), "the steps is -5"),
        (lambda: optim.warmup(optim.cosine(0.1, 5), 0), "the steps is 0"),
        (lambda: nn.Module()(1), "Module has no forward"),
    ],
)
def test_bad_input_is_one_clear_message(call, text):
    with raises_saying(mg.ArgumentError, text) as caught:
        call()
    assert "\n  at   test_optim.py" in str(caught.value) and "\n  try  " in str(caught.value)


def test_nothing_to_train_is_said():
    said = "the loss does not depend on a trainable variable"
    with mg.Graph(), raises_saying(mg.GradientError, said):
        optim.SGD().minimize(mg.placeholder("x") * 2)


@named
def test_gradients_and_apply_are_minimize_in_two_steps(make):
    """Also when the gradients are fed to the second, as when others computed them."""

    def build():
        with mg.Graph() as graph:
            x, labels = mg.placeholder("x", (None, 4)), mg.placeholder("labels", (None,), int)
            loss = mg.cross_entropy(net()(x), labels)
            optimizer = make()
            pairs = optimizer.gradients(loss)
            update = optimizer.apply(pairs)
        return mg.Session(graph), x, labels, loss, [g for _, g in pairs], update

    session, x, labels, loss, grads, update = build()
    apart, x2, labels2, loss2, grads2, update2 = build()
    for _ in range(5):
        expected = session.run([loss, update], {x: X, labels: LABELS})[0]
        found, *slopes = apart.run([loss2, *grads2], {x2: X, labels2: LABELS})
        apart.run(update2, dict(zip(grads2, slopes)))
        assert found == expected


def test_apply_refuses_what_does_not_fit_before_it_builds():
    with mg.Graph() as graph:
        w, u = mg.Variable(np.ones(3), name="w"), mg.Variable(np.ones(2), name="u")
        fixed = mg.Variable(np.ones(3), name="fixed", trainable=False)
        optimizer = optim.SGD(lr=0.1)
        g = mg.constant(np.ones(3))
    count = len(graph.nodes)
    for pairs, message in (
        ([], "list of gradients to apply is empty"),
        ([(g, w)], "is not a Variable and its gradient"),
        ([(u, g)], "does not fit"),
        ([(w, g), (w, g)], "two gradients"),
        ([(fixed, g)], "not one of the trained variables"),
    ):
        with raises_saying(mg.MinigradError, message):
            optimizer.apply(pairs)
    assert len(graph.nodes) == count
