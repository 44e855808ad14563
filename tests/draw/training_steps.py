"""Training steps to draw: small nets, and how their variables are updated."""

import operator
from itertools import pairwise

import numpy as np

import minigrad as mg
from minigrad.draw.read.outline import outline
from minigrad.draw.read.source import list_results


def net(sizes=(64, 32, 10)):
    """A net with tanh between its layers: (loss, its variables)."""
    rng = np.random.default_rng(0)
    x = mg.placeholder("X", shape=(32, sizes[0]))
    labels, variables = mg.placeholder("labels", shape=(32,), dtype=int), []
    for k, (rows, columns) in enumerate(pairwise(sizes), 1):
        w = mg.Variable(rng.normal(size=(rows, columns)), f"W{k}")
        b = mg.Variable(np.zeros(columns), f"b{k}")
        variables += [w, b]
        x = x @ w + b
        x = mg.tanh(x) if k < len(sizes) - 1 else x
    return mg.cross_entropy(x, labels), variables


def conv():
    """A convolutional net with max pooling."""
    rng = np.random.default_rng(0)
    x = mg.placeholder("images", shape=(32, 1, 12, 12))
    labels = mg.placeholder("labels", shape=(32,), dtype=int)
    k, c = mg.Variable(rng.normal(size=(4, 1, 3, 3)), "K"), mg.Variable(np.zeros((4, 1, 1)), "b1")
    w, b = mg.Variable(rng.normal(size=(100, 10)), "W"), mg.Variable(np.zeros(10), "b2")
    flat = mg.reshape(mg.max_pool2d(mg.relu(mg.conv2d(x, k) + c), 2), (32, 100))
    return mg.cross_entropy(flat @ w + b, labels), [k, c, w, b]


def residual():
    """A block with a skip connection."""
    rng = np.random.default_rng(0)
    x = mg.placeholder("X", shape=(32, 32))
    labels = mg.placeholder("labels", shape=(32,), dtype=int)
    sizes = (("W1", 32), ("W2", 32), ("V", 10))
    w1, w2, v = (mg.Variable(rng.normal(size=(32, n)), name) for name, n in sizes)
    h = mg.tanh(x @ w1)
    return mg.cross_entropy((mg.tanh(h @ w2) + h) @ v, labels), [w1, w2, v]


def toy():
    """y = (x + w) (w + 1)."""
    x, w = mg.placeholder("x"), mg.Variable(1.0, "w")
    return (x + w) * (w + 1), [w]


def baydin():
    """ln x1 + x1 x2 - sin x2."""
    x1, x2 = mg.Variable(2.0, "x1"), mg.Variable(5.0, "x2")
    return mg.log(x1) + x1 * x2 - mg.sin(x2), [x1, x2]


def shared_weight():
    """A net that applies one weight three times."""
    x = mg.placeholder("X", shape=(8, 4))
    w = mg.Variable(np.random.default_rng(0).normal(size=(4, 4)), "W")
    for _ in range(3):
        x = mg.tanh(x @ w)
    return mg.sum(x * x), [w]


def decay():
    """Squared errors, and the squares of the weights."""
    x, t = mg.placeholder("X", shape=(8, 4)), mg.placeholder("t", shape=(8, 3))
    w = mg.Variable(np.random.default_rng(0).normal(size=(4, 3)), "W")
    d = x @ w - t
    return mg.sum(d * d) + 0.01 * mg.sum(w * w), [w]


def loop():
    """x multiplied by w until it reaches 8."""
    w, x = mg.Variable(2.0, "w"), mg.placeholder("x")
    y = mg.while_loop(lambda v: v < 8.0, lambda v: w * v, x)
    return y * y, [w]


def second():
    """The square of a derivative."""
    x, w = mg.placeholder("x"), mg.Variable(1.0, "w")
    (d,) = mg.gradients((x + w) * (w + 1) * w, [w])
    return d * d, [w]


def attention():
    """One head of attention."""
    rng = np.random.default_rng(0)
    x = mg.placeholder("X", shape=(8, 16))
    q, k, v = (mg.Variable(rng.normal(size=(16, 16)), name) for name in "QKV")
    a = mg.softmax((x @ q) @ mg.transpose(x @ k), axis=1) @ (x @ v)
    return mg.sum(a * a), [q, k, v]


def towers():
    """Three branches side by side."""
    x = mg.placeholder("X", shape=(8, 4))
    ws = [mg.Variable(np.full((4, 2), k / 10), f"W{k}") for k in (1, 2, 3)]
    return mg.sum(mg.concatenate([x @ w for w in ws], axis=1)), ws


def lstm():
    """A cell with four gates."""
    x, h, c = (mg.placeholder(name, shape=(8, 4)) for name in "xhc")
    W, U, b = (variable(name, *shape) for name, shape in zip("WUb", ((4, 16), (4, 16), (16,))))
    z = x @ W + h @ U + b
    i, f, o, g = (z[:, at : at + 4] for at in range(0, 16, 4))
    c = mg.sigmoid(f) * c + mg.sigmoid(i) * mg.tanh(g)
    h = mg.sigmoid(o) * mg.tanh(c)
    return mg.sum(h * h), [W, U, b]


def autoencoder():
    """A variational autoencoder, with noise that is fed."""
    x, noise = mg.placeholder("x", shape=(8, 16)), mg.placeholder("e", shape=(8, 4))
    shapes = ((16, 8), (8, 4), (8, 4), (4, 16))
    W, M, S, D = (variable(name, *shape) for name, shape in zip("WMSD", shapes))
    h = mg.tanh(x @ W)
    m, s = h @ M, h @ S
    r = mg.sigmoid((m + mg.exp(s) * noise) @ D) - x
    loss = mg.sum(r * r) + mg.sum(mg.exp(2 * s) + m * m - 1 - 2 * s)
    return loss, [W, M, S, D]


def penalty():
    """A loss that holds the length of its own gradient."""
    loss, variables = net((16, 8, 10))
    inputs = [n for n in loss.graph.nodes if n.role == "input" and n.dtype.kind == "f"]
    (g,) = mg.gradients(loss, inputs)
    return loss + 0.1 * mg.sum(g * g), variables


def variable(name, *shape):
    """A variable of numbers that differ."""
    return mg.Variable(np.sin(np.arange(np.prod(shape))).reshape(shape) / 2, name)


def newton(loss, variables):
    """Newton's step, for a loss of one number."""
    (w,) = variables
    (slope,) = mg.gradients(loss, [w])
    (curve,) = mg.gradients(slope, [w])
    mg.assign(w, w - slope / curve)


def quartic():
    """x⁴ − 3x."""
    x = mg.Variable(2.0, "x")
    return x**4 - 3 * x, [x]


def descend(loss, variables):
    """v ← v - 0.1 v̄."""
    for v, d in zip(variables, mg.gradients(loss, variables)):
        mg.assign(v, v - 0.1 * d)


def momentum(loss, variables):
    """m ← 0.9 m + v̄;  v ← v - 0.1 m."""
    for v, d in zip(variables, mg.gradients(loss, variables)):
        m = mg.Variable(np.zeros(v.shape), f"m_{v.name}", trainable=False)
        mg.assign(v, v - 0.1 * mg.assign(m, 0.9 * m + d))


def momentum_by_name(loss, variables):
    """The same, where m is read by its name after it was assigned."""
    for v, d in zip(variables, mg.gradients(loss, variables)):
        m = mg.Variable(np.zeros(v.shape), f"m_{v.name}", trainable=False)
        mg.assign(m, 0.9 * m + d)
        mg.assign(v, v - 0.1 * m)


def late_momentum(loss, variables):
    """Momentum by the velocity of the step before: v ← v - 0.1 m;  m ← 0.9 m + v̄."""
    for v, d in zip(variables, mg.gradients(loss, variables)):
        m = mg.Variable(np.zeros(v.shape), f"m_{v.name}", trainable=False)
        step = 0.1 * m
        mg.assign(m, 0.9 * m + d)
        mg.assign(v, v - step)


def clipping(loss, variables):
    """v ← v - 0.1 f v̄, where f makes the gradients at most 1 long."""
    slopes = mg.gradients(loss, variables)
    factor = 1.0 / mg.maximum(mg.sqrt(sum(mg.sum(d * d) for d in slopes)), 1.0)
    for v, d in zip(variables, slopes):
        mg.assign(v, v - 0.1 * factor * d)


def adam(loss, variables):
    """The optimiser's update, with a rate that falls."""
    mg.optim.Adam(variables, lr=lambda t: 0.01 / (t + 1)).minimize(loss)


def slopes(loss, variables):
    """Gradients alone, of the input too."""
    inputs = [node for node in loss.graph.nodes if node.role == "input" and node.dtype.kind == "f"]
    mg.gradients(loss, [*inputs, *variables])


def nothing(loss, variables):
    """No derivative at all."""


DEEP = (64, 48, 32, 24, 10)
STEPS = {  # name → (the net, its update)
    "toy": (toy, descend),
    "baydin": (baydin, descend),
    "mlp": (net, descend),
    "conv": (conv, descend),
    "deep": (lambda: net(DEEP), descend),
    "residual": (residual, descend),
    "shared": (shared_weight, descend),
    "momentum": (net, momentum),
    "momentum by name": (net, momentum_by_name),
    "late momentum": (net, late_momentum),
    "clipping": (net, clipping),
    "adam": (net, adam),
    "loop": (loop, descend),
    "attention": (attention, descend),
    "towers": (towers, descend),
    "decay": (decay, descend),
    "second": (second, descend),
    "lstm": (lstm, descend),
    "autoencoder": (autoencoder, descend),
    "penalty": (penalty, descend),
    "newton": (quartic, newton),
    "long": (lambda: net((10,) * 15), descend),  # about 300 nodes
    "slopes": (net, slopes),
    "slopes of attention": (attention, slopes),
    "forward": (net, nothing),
}


def build(name):
    """The graph of a training step."""
    make, update = STEPS[name]
    with mg.Graph() as graph:
        update(*make())
    return graph


def random_net(rng):
    """A random net of matrices: (loss, its variables)."""
    names = [f"w{k}" for k in range(rng.integers(1, 4))]
    variables = [mg.Variable(rng.normal(size=(4, 4)) + 2, name) for name in names]
    values = variables + [mg.placeholder(f"x{k}", (4, 4)) for k in range(rng.integers(0, 3))]
    reach = rng.integers(2, 8)  # how far back an operand is looked for
    for _ in range(rng.integers(2, 14)):
        x = values[-1 if rng.random() < 0.6 else rng.integers(len(values))]
        y = values[rng.integers(max(0, len(values) - reach), len(values))]
        pairs = [operator.add, operator.mul, operator.sub, operator.matmul]
        z, chance = values[rng.integers(len(values))], rng.random()
        one = pairs[rng.integers(4)](x, y) if chance < 0.6 else mg.tanh(x)
        values.append(mg.einsum("ij,ij,ij->ij", x, y, z) if chance > 0.8 else one)
    return mg.sum(values[-1]) + sum(mg.sum(v * v) for v in variables), variables


def random_step(seed):
    """The graph of a random net and an update of its variables."""
    rng = np.random.default_rng(seed)
    with mg.Graph() as graph:
        loss, variables = random_net(rng)
        [descend, momentum, clipping, adam][rng.integers(4)](loss, variables)
    return graph


def outline_of(name):
    """The Outline of a training step."""
    return outline(list_results(build(name)))
