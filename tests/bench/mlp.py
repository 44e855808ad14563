"""One step of plain SGD: ReLU layers, softmax cross-entropy, float32; the update is included.

Each library uses its own cross-entropy and its own optimiser where it has one.
"""

import functools
import itertools
from typing import NamedTuple

import libraries
import numpy as np
from libraries import relu
from registry import Family, Target, Workload

import minigrad as mg

steps = Family()
RATE = 1e-3


class Problem(NamedTuple):
    """Weights and biases in turn, and one batch with its labels."""

    weights: list
    x: object
    labels: object


def problem(*sizes, batch):
    """He's weights, zero biases and a batch of noise."""
    rng = np.random.default_rng(0)
    weights = []
    for n, m in itertools.pairwise(sizes):
        weights += [
            rng.normal(0, (2 / n) ** 0.5, (n, m)).astype(np.float32),
            np.zeros(m, np.float32),
        ]
    return Problem(
        weights,
        rng.normal(size=(batch, sizes[0])).astype(np.float32),
        rng.integers(0, sizes[-1], batch),
    )


def scores(xp, weights, x):
    """x W + b for each layer, with ReLU between them."""
    for w, b in zip(weights[:-2:2], weights[1:-2:2]):
        x = relu(xp, x @ w + b)
    return x @ weights[-2] + weights[-1]


@steps.contender("NumPy by hand")
def by_hand(problem):
    """Both passes written out."""
    weights, x, labels = [w.copy() for w in problem.weights], problem.x, problem.labels
    rows, share = np.arange(len(x)), np.float32(1 / len(x))

    def run():
        layers = [x]
        for w, b in zip(weights[:-2:2], weights[1:-2:2]):
            layers.append(np.maximum(layers[-1] @ w + b, 0))
        z = layers[-1] @ weights[-2] + weights[-1]
        z -= z.max(1, keepdims=True)
        e = np.exp(z)
        total = e.sum(1, keepdims=True)
        loss = (np.log(total[:, 0]) - z[rows, labels]).mean()
        z_bar = e / total
        z_bar[rows, labels] -= 1
        z_bar *= share
        for i in range(len(layers) - 1, -1, -1):
            w, b, h = weights[2 * i], weights[2 * i + 1], layers[i]
            h_bar = z_bar @ w.T if i else None
            w -= RATE * (h.T @ z_bar)
            b -= RATE * z_bar.sum(0)
            z_bar = h_bar * (h > 0) if i else None
        return loss

    return run, lambda: weights


@steps.contender("products alone")
def products(problem):
    """The products of matrices of a step; one whole step was made by hand, for its results."""
    step, results = by_hand(problem)
    step()
    weights, layers = problem.weights, [problem.x]
    for w, b in zip(weights[:-2:2], weights[1:-2:2]):
        layers.append(np.maximum(layers[-1] @ w + b, 0))
    slopes = layers[-1] @ weights[-2]

    def run():
        z_bar = slopes
        for i, h in enumerate(layers):
            h @ weights[2 * i]
        for i in range(len(layers) - 1, -1, -1):
            layers[i].T @ z_bar
            z_bar = z_bar @ weights[2 * i].T if i else None

    return run, results


@steps.contender("minigrad dynamic")
def dynamic(problem):
    """Tensors, backward() and optim.SGD."""
    weights = [mg.tensor(w, requires_grad=True) for w in problem.weights]
    optimizer = mg.optim.SGD(weights, RATE)

    def run():
        optimizer.zero_grad()
        loss = mg.cross_entropy(scores(mg, weights, problem.x), problem.labels)
        loss.backward()
        optimizer.step()
        return loss

    return run, lambda: [w.detach() for w in weights]


def static(backend):
    """A contender with Variables and optim.SGD().minimize() in a Graph."""

    def contender(problem):
        with mg.Graph() as graph:
            weights = [mg.Variable(w) for w in problem.weights]
            x = mg.placeholder("x", problem.x.shape, problem.x.dtype)
            labels = mg.placeholder("labels", problem.labels.shape, problem.labels.dtype)
            loss = mg.cross_entropy(scores(mg, weights, x), labels)
            train = mg.optim.SGD(lr=RATE).minimize(loss)
        step, session = libraries.program(graph, backend, [loss, train], [x, labels])
        return lambda: step(problem.x, problem.labels), lambda: session.run(weights)

    return contender


steps.contender("minigrad static")(static("codegen"))
steps.contender("minigrad numba")(static("numba"))
steps.contender("minigrad on JAX")(static("jax"))


@steps.contender("PyTorch eager")
def eager(problem, compile=lambda f: f):
    """Tensors, backward() and optim.SGD."""
    torch = libraries.torch()
    weights = [torch.tensor(w, requires_grad=True) for w in problem.weights]
    x, labels = torch.tensor(problem.x), torch.tensor(problem.labels)
    optimizer = torch.optim.SGD(weights, RATE)
    loss_of = compile(
        lambda x, labels: torch.nn.functional.cross_entropy(scores(torch, weights, x), labels)
    )
    update = compile(optimizer.step)

    def run():
        optimizer.zero_grad()
        loss = loss_of(x, labels)
        loss.backward()
        update()
        return loss

    return run, lambda: [w.detach() for w in weights]


@steps.contender("torch.compile")
def torch_compile(problem):
    """The loss and the optimiser's step, compiled."""
    libraries.torch()
    return eager(problem, libraries.compiled())


@steps.contender("jax.jit")
def jit(problem):
    """The whole step as one function that gives up the old weights."""
    jax = libraries.jax()
    x, labels = jax.numpy.asarray(problem.x), jax.numpy.asarray(problem.labels)
    held = [[jax.numpy.array(w) for w in problem.weights]]

    def loss_of(weights):
        likely = jax.nn.log_softmax(scores(jax.numpy, weights, x))
        return -jax.numpy.take_along_axis(likely, labels[:, None], 1).mean()

    @functools.partial(jax.jit, donate_argnums=0)
    def step(weights):
        loss, slopes = jax.value_and_grad(loss_of)(weights)
        return loss, [w - RATE * g for w, g in zip(weights, slopes)]

    def run():
        loss, held[0] = jax.block_until_ready(step(held[0]))
        return loss

    return run, lambda: held[0]


@steps.contender("autograd")
def autograd(problem):
    """value_and_grad, and an update in place."""
    library = libraries.autograd()
    from autograd.scipy.special import logsumexp

    weights, rows = [w.copy() for w in problem.weights], np.arange(len(problem.x))

    def loss_of(weights):
        z = scores(library.numpy, weights, problem.x)
        return library.numpy.mean(logsumexp(z, 1) - z[rows, problem.labels])

    both = library.value_and_grad(loss_of)

    def run():
        loss, slopes = both(weights)
        for w, g in zip(weights, slopes):
            w -= RATE * g
        return loss

    return run, lambda: weights


@steps.contender("MyGrad")
def mygrad(problem):
    """Tensors, backward(), and an update in place."""
    library = libraries.mygrad()
    from mygrad.nnet.losses import softmax_crossentropy

    weights = [library.tensor(w.copy()) for w in problem.weights]

    def run():
        loss = softmax_crossentropy(scores(library, weights, problem.x), problem.labels)
        loss.backward()
        for w in weights:
            w.data -= RATE * w.grad
        return loss

    return run, lambda: [w.data for w in weights]


@steps.contender("PyTensor")
def pytensor(problem):
    """Shared weights and a function with updates."""
    library = libraries.pytensor()
    from pytensor.tensor.special import log_softmax

    weights = [library.shared(w) for w in problem.weights]
    x, labels = [
        library.tensor.tensor(shape=a.shape, dtype=str(a.dtype))
        for a in (problem.x, problem.labels)
    ]
    likely = log_softmax(scores(library.tensor, weights, x), axis=1)
    loss = -likely[np.arange(len(problem.x)), labels].mean()
    rate = np.float32(RATE)
    updates = [(w, w - rate * g) for w, g in zip(weights, library.grad(loss, weights))]
    step = library.function([x, labels], loss, updates=updates)
    step.trust_input = True
    return lambda: step(problem.x, problem.labels), lambda: [w.get_value() for w in weights]


D, S, N, T, J, P = (
    "minigrad dynamic",
    "minigrad static",
    "minigrad numba",
    "PyTorch eager",
    "jax.jit",
    "products alone",
)


def workloads():
    """A net that BLAS fills, and one that is all overhead."""
    yield (
        "MLP 784-256-10",
        Workload(
            steps,
            functools.partial(problem, 784, 256, 10, batch=64),
            (Target(S, T, 0.66), Target(S, J, 1.05), Target(S, P, 1.05), Target(N, T, 0.55)),
            tolerance=1e-5,
        ),
    )
    yield (
        "MLP 4-32-32-3",
        Workload(
            steps,
            functools.partial(problem, 4, 32, 32, 3, batch=16),
            (Target(D, T, 0.8), Target(S, T, 0.18), Target(S, J, 0.7), Target(N, T, 0.10)),
            tolerance=1e-5,
        ),
    )
