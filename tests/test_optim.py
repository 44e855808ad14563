"""Layers and optimisers: both engines learn the same, and as the formulas say."""

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn, optim

OPTIMIZERS = {
    "sgd": lambda p=(): optim.SGD(p, lr=0.1),
    "decay": lambda p=(): optim.SGD(p, lr=0.1, weight_decay=0.05),
    "momentum": lambda p=(): optim.SGD(p, lr=0.05, momentum=0.9),
    "nesterov": lambda p=(): optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "adam": lambda p=(): optim.Adam(p, lr=0.01),
    "adamw": lambda p=(): optim.AdamW(p, lr=0.01, weight_decay=0.1),
    "clipped": lambda p=(): optim.SGD(p, lr=0.1, clip_norm=0.5),
    "step decay": lambda p=(): optim.SGD(p, lr=optim.step_decay(0.2, every=10, factor=0.5)),
    "cosine": lambda p=(): optim.Adam(p, lr=optim.cosine(0.02, steps=20, floor=0.001)),
    "warmup": lambda p=(): optim.SGD(p, lr=optim.warmup(optim.cosine(0.2, 25), 5), momentum=0.5),
}
named = pytest.mark.parametrize("make", OPTIMIZERS.values(), ids=OPTIMIZERS)
RNG = np.random.default_rng(0)
X, LABELS = RNG.normal(size=(12, 4)), RNG.integers(0, 3, 12)


def net():
    nn.manual_seed(1)
    return nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3), nn.Sigmoid(),
                         nn.Linear(3, 3, bias=False), nn.ReLU())


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


PEERS = {
    "SGD": {"lr": 0.1}, "SGD momentum": {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.05},
    "SGD nesterov": {"lr": 0.1, "momentum": 0.8, "nesterov": True}, "Adam": {"lr": 0.02},
    "AdamW": {"lr": 0.02, "weight_decay": 0.3},
}


@pytest.mark.parametrize("name", PEERS)
def test_five_steps_agree_with_pytorch(name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: nothing to compare with")
    kind, options = name.split()[0], PEERS[name]
    rng = np.random.default_rng(2)
    start, data = rng.normal(size=(3, 2)), rng.normal(size=(4, 3))
    ours = mg.tensor(start, requires_grad=True)
    theirs = torch.tensor(start, requires_grad=True)
    step, peer = getattr(optim, kind)([ours], **options), getattr(torch.optim, kind)(
        [theirs], **options)
    for _ in range(5):
        step.zero_grad(), peer.zero_grad()
        mg.sum(mg.tanh(data @ ours) ** 2).backward()
        (torch.tanh(torch.tensor(data) @ theirs) ** 2).sum().backward()
        step.step(), peer.step()
        np.testing.assert_allclose(ours.data, theirs.detach().numpy(), rtol=0, atol=1e-6)


def test_updates_by_hand():
    assert stepped(OPTIMIZERS["sgd"], [0.5, -1.0]) == pytest.approx(1 - 0.1 * 0.5 + 0.1)
    assert stepped(OPTIMIZERS["decay"], [0.5]) == pytest.approx(1 - 0.1 * (0.5 + 0.05))
    assert stepped(OPTIMIZERS["momentum"], [1.0, 1.0]) == pytest.approx(1 - 0.05 * (1 + 1.9))
    v = 1.0 + 0.01
    first = 1 - 0.05 * (v + 0.9 * v)
    assert stepped(OPTIMIZERS["nesterov"], [1.0]) == pytest.approx(first)
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


def test_a_gradient_of_another_shape_is_refused_before_anything_changes():
    a, b = (mg.tensor(np.ones(2), requires_grad=True) for _ in range(2))
    a.grad, b.grad = mg.tensor(np.ones(2)), mg.tensor(np.ones((3, 2)))
    with pytest.raises(mg.ShapeError, match=r"the gradient of .* has shape \[3, 2\]"):
        optim.Adam([a, b]).step()
    assert a.data.tolist() == [1, 1]


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
        "layers.0.W", "layers.0.b", "layers.2.W", "layers.2.b", "layers.4.W"]
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


@pytest.mark.parametrize("call, text", [
    (lambda: optim.SGD(lr=0), "the learning rate is 0"),
    (lambda: optim.Adam(clip_norm=-1), "the clip_norm is -1"),
    (lambda: optim.SGD([mg.tensor(1.0)]), "cannot be trained"),
    (lambda: optim.SGD().step(), "no parameters to step"),
    (lambda: optim.SGD(nesterov=True), "nesterov without momentum"),
    (lambda: optim.SGD().minimize(mg.tensor(1.0)), "the loss is no Node"),
    (lambda: nn.Module()(1), "Module has no forward"),
])
def test_bad_input_is_one_clear_message(call, text):
    with pytest.raises(mg.ArgumentError, match=text) as caught:
        call()
    assert "\n  at   test_optim.py" in str(caught.value) and "\n  try  " in str(caught.value)


def test_nothing_to_train_is_said():
    with mg.Graph():
        with pytest.raises(mg.GradientError, match="the loss depends on no trainable variable"):
            optim.SGD().minimize(mg.placeholder("x") * 2)
