"""Fifty layers h ← tanh(h·wᵢ + bᵢ) on a million numbers: how much a derivative must remember."""

import functools

import numpy as np
from alone import peak_memory
from gradients import Problem, gradients
from registry import Family, Target, Workload
from values import values

LAYERS = 50
W, B = np.random.default_rng(1).uniform(0.5, 1, (2, LAYERS)).tolist()
arrays = Family("arrays")
arrays.builders = gradients.builders
kept = Family("arrays")
kept.builders = values.builders


def layers(xp, h):
    """The last h."""
    for w, b in zip(W, B):
        h = xp.tanh(h * w + b)
    return h


def summed(xp, h):
    """Σ of the last h."""
    return layers(xp, h).sum()


def by_hand(x):
    """The sum and its gradient in NumPy: every h is kept."""
    hs = [x]
    for w, b in zip(W, B):
        hs.append(np.tanh(hs[-1] * w + b))
    y, h_bar = hs[-1].sum(), np.ones_like(x)
    for w in reversed(W):
        h = hs.pop()
        h_bar = h_bar * (1 - h * h) * w
    return y, h_bar


def problem(formula, size):
    """A long x of noise."""
    return Problem(formula, [np.random.default_rng(0).normal(size=size)], 1, by_hand)


def workloads():
    """The last layer without derivatives, and the gradient of its sum."""
    static, dynamic = "minigrad static", "minigrad dynamic"
    for name, family, formula, targets in (
        ("forward", kept, layers, (Target(static, None, 1),)),
        ("gradient", arrays, summed, (Target(static, None, 4), Target(dynamic, None, 56))),
    ):
        yield (
            f"memory {name}",
            Workload(
                family,
                functools.partial(problem, formula, 10**6),
                targets,
                alone=peak_memory,
                small=functools.partial(problem, formula, 1000),
            ),
        )
