"""Random nets of random layers: both engines train them alike, and take over from each other."""

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn, optim

OPTIMIZERS = (
    lambda p: optim.SGD(p, 0.05),
    lambda p: optim.Adam(p, 0.01),
    lambda p: optim.SGD(p, 0.05, momentum=0.9, nesterov=True, weight_decay=0.1),
    lambda p: optim.AdamW(p, optim.cosine(0.02, 4), weight_decay=0.2, clip_norm=0.5),
    lambda p: optim.SGD(p, optim.warmup(0.1, 3), momentum=0.5, clip_norm=0.3),
    lambda p: optim.Adam(p, optim.step_decay(0.01, 2), eps=0.1),
)
SESSIONS = ({}, {"optimize": False, "backend": "numpy"}, {"rules": "fast"}, {"debug": True})
STEPS, EVALUATED = 5, 2  # one of the steps trains with the layers in evaluation


class Tied(nn.Module):
    """Two layers, one in a dict, that share their weight."""

    def __init__(self, size, dtype):
        self.first, self.parts = nn.Linear(size, size, dtype=dtype), {}
        self.parts["second"] = nn.Linear(size, size, dtype=dtype)
        self.parts["second"].W = self.first.W

    def forward(self, x):
        """Both layers, each with a tanh."""
        return mg.tanh(self.parts["second"](mg.tanh(self.first(x))))


def plain_layer(rng, size, dtype):
    """(a layer for rows of `size`, the size after it)."""
    outputs = int(rng.integers(1, 6))
    return [
        lambda: (nn.Linear(size, outputs, bias=bool(outputs % 2), dtype=dtype), outputs),
        lambda: (Tied(size, dtype), size),
        lambda: (nn.Tanh(), size),
        lambda: (nn.ReLU(), size),
        lambda: (nn.Sigmoid(), size),
        lambda: (nn.LayerNorm(size, dtype=dtype), size),
        lambda: (nn.BatchNorm(size, momentum=0.3, dtype=dtype), size),
    ][rng.integers(7)]()


def image_layer(rng, shape, dtype):
    """(a layer for images of `shape`, the shape after it)."""
    channels, height, width = shape
    outputs, stride, padding = (int(n) for n in rng.integers((1, 1, 0), (4, 3, 2)))
    rows, columns = min(height, outputs), min(width, 2)
    after = (
        outputs,
        *((n + 2 * padding - k) // stride + 1 for n, k in ((height, rows), (width, columns))),
    )
    return [
        lambda: (
            nn.Conv2d(
                channels, outputs, (rows, columns), stride, padding, bias=stride == 1, dtype=dtype
            ),
            after,
        ),
        lambda: (
            nn.MaxPool2d((rows, columns), 1),
            (channels, height - rows + 1, width - columns + 1),
        ),
        lambda: (nn.LayerNorm(shape[1:], dtype=dtype), shape),
        lambda: (nn.ReLU(), shape),
        lambda: (nn.BatchNorm(channels, dtype=dtype), shape),
    ][rng.integers(5)]()


def new_net(seed, dtype):
    """(a net of one to four random layers and a last one for three classes, its input's shape)."""
    rng = np.random.default_rng(seed)
    nn.manual_seed(seed)
    shape = first = tuple(int(n) for n in rng.integers((1, 3, 3), (3, 7, 7)))
    layers, size = [], int(rng.integers(1, 6))
    for _ in range(rng.integers(1, 5)):
        if seed % 2:
            layer, shape = image_layer(rng, shape, dtype)
        else:
            first = first if layers else (size,)
            layer, size = plain_layer(rng, size, dtype)
        layers.append(layer)
    inputs = int(np.prod(shape)) if seed % 2 else size
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(inputs, 3, dtype=dtype)), first


def parts_of(seed, dtype):
    """(net, optimiser) of a seed; in every third net the first parameter is not trained."""
    net, _ = new_net(seed, dtype)
    parameters = net.parameters()
    trained = parameters[1:] if seed % 3 == 0 and len(parameters) > 1 else parameters
    return net, OPTIMIZERS[seed % len(OPTIMIZERS)](p for p in trained)


def dynamic_training(net, optimizer, data):
    """The losses of the steps."""
    losses = []
    for i, (x, labels) in enumerate(data):
        net.train(i != EVALUATED)
        loss = mg.cross_entropy(net(x), labels)
        for p in net.parameters():
            p.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def static_training(seed, dtype, data, length, **options):
    """(losses, states of the net and of its optimiser) after the same steps in a graph."""
    with mg.Graph() as graph:
        net, optimizer = parts_of(seed, dtype)
        x = mg.placeholder("x", (length, *data[0][0].shape[1:]), dtype)
        labels = mg.placeholder("labels", (length,), int)
        programs = []
        for how in (True, False):
            net.train(how)
            loss = mg.cross_entropy(net(x), labels)
            programs.append([loss, optimizer.minimize(loss), net.updates() if how else []])
    session = mg.Session(graph, **options)
    losses = [
        session.run(programs[i == EVALUATED], {x: a, labels: b})[0].item()
        for i, (a, b) in enumerate(data)
    ]
    return losses, net.state_dict(session), optimizer.state_dict(session)


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
@pytest.mark.parametrize("seed", range(12))
def test_both_engines_train_a_random_net_alike_and_one_goes_on_for_the_other(seed, dtype):
    rng, (_, shape) = np.random.default_rng(100 + seed), new_net(seed, dtype)
    data = [
        (rng.normal(size=(4, *shape)).astype(dtype), rng.integers(0, 3, 4)) for _ in range(STEPS)
    ]
    net, optimizer = parts_of(seed, dtype)
    losses = dynamic_training(net, optimizer, data)
    near = 1e-10 if dtype == np.float64 else 1e-3
    for options, length in zip(SESSIONS, (None, 4, 4, None)):
        static, state, kept = static_training(seed, dtype, data, length, **options)
        np.testing.assert_allclose(static, losses, near, near)
        for ours, theirs in ((net.state_dict(), state), (optimizer.state_dict(), kept)):
            for name, array in theirs.items():
                np.testing.assert_allclose(ours[name], array, near, near, err_msg=name)
                assert ours[name].dtype == array.dtype
    other, resumed = parts_of(seed, dtype)
    other.load_state_dict(state)
    resumed.load_state_dict(kept)
    np.testing.assert_allclose(
        dynamic_training(other, resumed, data[:1]),
        dynamic_training(net, optimizer, data[:1]),
        near,
        near,
    )
    for (name, a), (_, b) in zip(net.named_values(), other.named_values(), strict=True):
        np.testing.assert_allclose(a.data, b.data, near, near, err_msg=name)


def test_two_optimisers_of_one_weight_both_follow_the_gradient_of_the_loss():
    def pair(w):
        return optim.SGD([w], 0.1, momentum=0.9), optim.AdamW([w], optim.cosine(0.1, 4))

    def loss_of(w):
        return mg.sum(mg.tanh(w) * w)

    w = mg.tensor(np.arange(4.0), requires_grad=True)
    optimizers = pair(w)
    with mg.Graph() as graph:
        v = mg.Variable(np.arange(4.0))
        loss = loss_of(v)
        steps = [optimizer.minimize(loss) for optimizer in pair(v)]
    session = mg.Session(graph)
    for _ in range(5):
        w.zero_grad()
        loss_of(w).backward()
        for optimizer in optimizers:
            optimizer.step()
        session.run(steps)
        np.testing.assert_allclose(session.run(v), w.data, rtol=1e-13)
