"""Loops: x ← x + (sin(w·x) - x)/10 in a while_loop, and h ← tanh(h W + x U + b) in a scan."""

import functools
from typing import NamedTuple

import libraries
import numpy as np
from registry import Family, Target, Workload

import minigrad as mg

loops = Family()
STEPS = 1000


class Problem(NamedTuple):
    """One of the two loops below, its arrays, and whether the gradients of its sum are asked."""

    kind: type
    arrays: list
    gradient: bool


class While:
    """A loop over 64 numbers, of as many iterations as its counter says."""

    @staticmethod
    def problem():
        rng = np.random.default_rng(0)
        return [rng.uniform(0.5, 1.5, 64), rng.normal(size=64)]

    @staticmethod
    def minigrad(w, x):
        def body(i, x):
            return i + 1, x + (mg.sin(w * x) - x) * 0.1

        return mg.sum(mg.while_loop(lambda i, x: i < STEPS, body, (0, x))[1])

    @staticmethod
    def jax(jax, gradient):
        np, lax = jax.numpy, jax.lax

        def f(w, x):
            step = lambda x: x + (np.sin(w * x) - x) * 0.1
            if gradient:  # JAX has no reverse mode of while_loop
                return lax.scan(lambda x, _: (step(x), None), x, None, length=STEPS)[0].sum()
            body = lambda c: (c[0] + 1, step(c[1]))
            return lax.while_loop(lambda c: c[0] < STEPS, body, (0, x))[1].sum()

        return f

    @staticmethod
    def forward(w, x):
        i = 0
        while i < STEPS:
            i, x = i + 1, x + (np.sin(w * x) - x) * 0.1
        return [x.sum()]

    @staticmethod
    def both(w, x):
        kept, i = [], 0
        while i < STEPS:
            v = w * x
            kept.append((x, v))
            i, x = i + 1, x + (np.sin(v) - x) * 0.1
        y, x_bar, w_bar = x.sum(), np.ones_like(x), np.zeros_like(w)
        for x, v in reversed(kept):
            u_bar = x_bar * 0.1
            v_bar = u_bar * np.cos(v)
            w_bar += v_bar * x
            x_bar = x_bar - u_bar + v_bar * w
        return [y, w_bar, x_bar]


class Recurrent:
    """A recurrent net of 32 units on 8 sequences."""

    @staticmethod
    def problem():
        rng = np.random.default_rng(0)
        shapes = (32, 32), (16, 32), (32,), (8, 32), (STEPS, 8, 16)
        return [rng.normal(0, 0.2, shape) for shape in shapes]

    @staticmethod
    def minigrad(w, u, b, h, xs):
        def body(h, x):
            h = mg.tanh(h @ w + x @ u + b)
            return h, h

        return mg.sum(mg.scan(body, h, xs)[1])

    @staticmethod
    def jax(jax, gradient):
        def f(w, u, b, h, xs):
            def body(h, x):
                h = jax.numpy.tanh(h @ w + x @ u + b)
                return h, h

            return jax.lax.scan(body, h, xs)[1].sum()

        return f

    @staticmethod
    def forward(w, u, b, h, xs):
        hs = np.empty((len(xs), *h.shape))
        for t, x in enumerate(xs):
            hs[t] = h = np.tanh(h @ w + x @ u + b)
        return [hs.sum()]

    @staticmethod
    def both(w, u, b, h, xs):
        hs = np.empty((len(xs) + 1, *h.shape))
        hs[0] = h
        for t, x in enumerate(xs):
            hs[t + 1] = np.tanh(hs[t] @ w + x @ u + b)
        w_bar, u_bar, b_bar, h_bar = map(np.zeros_like, (w, u, b, h))
        for t in reversed(range(len(xs))):
            v_bar = (h_bar + 1) * (1 - hs[t + 1] * hs[t + 1])
            w_bar += hs[t].T @ v_bar
            u_bar += xs[t].T @ v_bar
            b_bar += v_bar.sum(0)
            h_bar = v_bar @ w.T
        return [hs[1:].sum(), w_bar, u_bar, b_bar, h_bar]


@loops.contender("NumPy by hand")
def by_hand(problem):
    """The loops written out; what the way back reads is kept."""
    run = problem.kind.both if problem.gradient else problem.kind.forward
    return lambda: run(*problem.arrays)


def static(backend):
    """A contender that builds a Graph once and runs it."""

    def contender(problem):
        with mg.Graph() as graph:
            xs = [mg.placeholder(f"x{i}", a.shape, a.dtype) for i, a in enumerate(problem.arrays)]
            y = problem.kind.minigrad(*xs)
            slopes = mg.gradients(y, trained(problem, xs)) if problem.gradient else []
        program, _ = libraries.program(graph, backend, [y, *slopes], xs)
        return lambda: program(*problem.arrays)

    return contender


def trained(problem, xs):
    """What gradients are asked for: all but the sequence."""
    return [x for x, a in zip(xs, problem.arrays) if len(a.shape) < 3]


loops.contender("minigrad static")(static("codegen"))
loops.contender("minigrad on JAX")(static("jax"))


@loops.contender("minigrad dynamic")
def dynamic(problem):
    """Python runs the loop on Tensors."""
    xs = [mg.tensor(a, requires_grad=problem.gradient) for a in problem.arrays]
    wanted = trained(problem, xs)

    def run():
        y = problem.kind.minigrad(*xs)
        slopes = mg.gradients(y, wanted) if problem.gradient else []
        return [z.detach() for z in (y, *slopes)]

    return run


@loops.contender("jax.jit")
def jit(problem):
    """lax.while_loop and lax.scan, compiled."""
    jax = libraries.jax()
    xs = [jax.numpy.asarray(a) for a in problem.arrays]
    f = problem.kind.jax(jax, problem.gradient)
    if problem.gradient:
        both = jax.value_and_grad(f, tuple(range(len(trained(problem, xs)))))
        run = jax.jit(lambda *xs: [both(*xs)[0], *both(*xs)[1]])
    else:
        run = jax.jit(lambda *xs: [f(*xs)])
    return lambda: jax.block_until_ready(run(*xs))


S, H = "minigrad static", "NumPy by hand"


def workloads():
    """Both loops, with gradients and without."""
    for text, kind, forward, gradient in (
        ("while", While, Target(S, H, 1.5), Target(S, H, 4)),
        ("scan", Recurrent, Target(S, H, 1.5), Target(S, None, 45e-6 * STEPS)),
    ):
        for asked, target in (("forward", forward), ("gradient", gradient)):
            problem = functools.partial(
                lambda kind, asked: Problem(kind, kind.problem(), asked == "gradient"), kind, asked
            )
            yield f"{text} {asked}", Workload(loops, problem, (target,))
