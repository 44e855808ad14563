"""Ten elementwise operations on long arrays, and their gradient: what memory traffic costs."""

import functools

import numpy as np
from gradients import Problem, gradients
from libraries import relu
from registry import Target, Workload

A, B, C = 1.1, 0.3, 0.2


def transcendental(xp, x):
    """u = x·a + b; q = x²; r = tanh(u)·exp(−q) + 0.1·q; y = Σ r²."""
    u = x * A + B
    q = x * x
    r = xp.tanh(u) * xp.exp(-q) + 0.1 * q
    return (r * r).sum()


def transcendental_by_hand(x):
    """The value and the gradient in NumPy."""
    u = x * A + B
    q = x * x
    t, e = np.tanh(u), np.exp(-q)
    r = t * e + 0.1 * q
    r_bar = 2 * r
    u_bar = r_bar * e * (1 - t * t)
    q_bar = r_bar * (0.1 - t * e)
    return (r * r).sum(), u_bar * A + 2 * x * q_bar


def cheap(xp, x):
    """u = x·a + b; w = max(u·x − c, 0) + x²; z = u/(1 + w²); y = Σ z·w."""
    u = x * A + B
    w = relu(xp, u * x - C) + x * x
    z = u / (1.0 + w * w)
    return (z * w).sum()


def cheap_by_hand(x):
    """The value and the gradient in NumPy."""
    u = x * A + B
    m = u * x - C
    w = np.maximum(m, 0) + x * x
    d = 1 + w * w
    z = u / d
    u_bar = w / d
    w_bar = z - 2 * w * z * u_bar
    m_bar = w_bar * (m > 0)
    return (z * w).sum(), (u_bar + m_bar * x) * A + m_bar * u + 2 * x * w_bar


def problem(formula, by_hand, size):
    """A long x of noise."""
    return Problem(formula, [np.random.default_rng(0).normal(size=size)], 1, by_hand)


S, N, T, C_, J = ("minigrad static", "minigrad numba", "PyTorch eager", "torch.compile", "jax.jit")
KINDS = {
    "transcendental": (
        transcendental,
        transcendental_by_hand,
        (Target(S, T, 0.15), Target(S, C_, 1.0), Target(S, J, 1.0), Target(N, T, 0.09)),
    ),
    "cheap": (cheap, cheap_by_hand, (Target(S, T, 0.14), Target(N, T, 0.05), Target(N, C_, 1.0))),
}


def workloads():
    """Both formulas on a million numbers and on ten million; the targets are for the latter."""
    for name, (formula, by_hand, targets) in KINDS.items():
        for size, digits in ((10**6, "1e6"), (10**7, "1e7")):
            yield (
                f"{name} {digits}",
                Workload(
                    gradients,
                    functools.partial(problem, formula, by_hand, size),
                    targets if size == 10**7 else (),
                ),
            )
