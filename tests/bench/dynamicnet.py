"""A net of random depth in training: the middle layer is used none to three times in a step.

64×1000 → 100 → (0–3 ×) → 10, float32, sum of squared errors, Adam with rate 1e-4. One run is four
steps, of depths 2, 0, 3 and 1, so that every run does the same work.
"""

import functools

import libraries
import mlp
import numpy as np
from libraries import relu
from registry import Family, Target, Workload

import minigrad as mg

steps = Family()
DEPTHS = (2, 0, 3, 1)
RATE = 1e-4


def problem():
    """Weights and biases of three layers, a batch, and what the net should say."""
    first, last = mlp.problem(1000, 100, 100, 10, batch=64), np.random.default_rng(1)
    return first.weights, first.x, last.normal(size=(64, 10)).astype(np.float32)


def error(xp, weights, x, y, depth):
    """The sum of squared errors of the net, with the middle layer `depth` times."""
    w1, b1, w2, b2, w3, b3 = weights
    h = relu(xp, x @ w1 + b1)
    for _ in range(depth):
        h = relu(xp, h @ w2 + b2)
    d = h @ w3 + b3 - y
    return (d * d).sum()


def adam(w, g, m, v, t):
    """Adam's step in place, on NumPy arrays."""
    m *= 0.9
    m += 0.1 * g
    v *= 0.999
    v += 0.001 * g * g
    w -= RATE / (1 - 0.9**t) * m / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)


@steps.contender("NumPy by hand")
def by_hand(problem):
    """Both passes and Adam written out."""
    weights, x, y = [w.copy() for w in problem[0]], *problem[1:]
    state, times = [(np.zeros_like(w), np.zeros_like(w)) for w in weights], [0] * 6

    def step(depth):
        order = [0] + [2] * depth + [4]
        layers = [x]
        for i in order[:-1]:
            layers.append(np.maximum(layers[-1] @ weights[i] + weights[i + 1], 0))
        d = layers[-1] @ weights[4] + weights[5] - y
        z_bar, slopes = 2 * d, [None] * 6
        for i, h in zip(reversed(order), reversed(layers)):
            for place, g in ((i, h.T @ z_bar), (i + 1, z_bar.sum(0))):
                slopes[place] = g if slopes[place] is None else slopes[place] + g
            z_bar = (z_bar @ weights[i].T) * (h > 0) if i else None
        for i, g in enumerate(slopes):
            if g is not None:
                times[i] += 1
                adam(weights[i], g, *state[i], times[i])

    return lambda: [step(depth) for depth in DEPTHS], lambda: weights


@steps.contender("minigrad dynamic")
def dynamic(problem):
    """Tensors, backward() and optim.Adam."""
    weights, x, y = [mg.tensor(w, requires_grad=True) for w in problem[0]], *problem[1:]
    optimizer = mg.optim.Adam(weights, RATE)

    def run():
        for depth in DEPTHS:
            optimizer.zero_grad()
            error(mg, weights, x, y, depth).backward()
            optimizer.step()

    return run, lambda: [w.detach() for w in weights]


@steps.contender("PyTorch eager")
def eager(problem, compile=lambda f: f):
    """Tensors, backward() and optim.Adam."""
    torch = libraries.torch()
    weights = [torch.tensor(w, requires_grad=True) for w in problem[0]]
    x, y = map(torch.tensor, problem[1:])
    optimizer = torch.optim.Adam(weights, RATE)
    error_of = compile(lambda depth: error(torch, weights, x, y, depth))

    def run():
        for depth in DEPTHS:
            optimizer.zero_grad()
            error_of(depth).backward()
            optimizer.step()

    return run, lambda: [w.detach() for w in weights]


@steps.contender("torch.compile")
def torch_compile(problem):
    """The error compiled for each depth."""
    libraries.torch()
    return eager(problem, libraries.compiled())


@steps.contender("jax.jit")
def jit(problem):
    """The whole step compiled for each depth; a layer that is not used keeps its state."""
    jax = libraries.jax()
    jnp = jax.numpy
    x, y = map(jnp.asarray, problem[1:])
    held = [[(jnp.array(w), jnp.zeros_like(w), jnp.zeros_like(w), 0) for w in problem[0]]]

    @functools.partial(jax.jit, static_argnums=1, donate_argnums=0)
    def step(states, depth):
        slopes = jax.grad(lambda weights: error(jnp, weights, x, y, depth))([s[0] for s in states])
        return [
            old if i in (2, 3) and not depth else moved(*old, g)
            for i, (old, g) in enumerate(zip(states, slopes))
        ]

    def moved(w, m, v, t, g):
        t, m, v = t + 1, 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        step = (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
        return (w - RATE * step).astype(w.dtype), m, v, t

    def run():
        for depth in DEPTHS:
            held[0] = step(held[0], depth)
        jax.block_until_ready(held[0])

    return run, lambda: [state[0] for state in held[0]]


def workloads():
    """The net of random depth; Adam divides a slope by its size, so small ones' roundings tell."""
    yield (
        "DynamicNet",
        Workload(
            steps, problem, (Target("minigrad dynamic", "PyTorch eager", 0.60),), tolerance=1e-2
        ),
    )
