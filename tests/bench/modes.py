"""Derivatives of f(x) = sin(M₂ tanh(M₁ x)) in both modes: products with one vector, and Jacobians.

M₁ is 64×n and M₂ is m×64, for R → R^1000 and for R^1000 → R. A Jacobian of 1000 columns in forward
mode, or of 1000 rows in reverse mode, is the case for which that mode is not made.
"""

import functools
from typing import NamedTuple

import libraries
import numpy as np
from registry import Family, Target, Unable, Workload

import minigrad as mg

derivatives = Family()


class Problem(NamedTuple):
    """What is asked ("jvp", "vjp", "forward Jacobian", "reverse Jacobian"), and the numbers."""

    asked: str
    m1: object
    m2: object
    x: object
    x_dot: object
    y_bar: object

    def f(self, xp, m1, m2):
        """The function for a library and its kind of matrices."""
        return lambda x: xp.sin(m2 @ xp.tanh(m1 @ x))


def problem(asked, n, m):
    """Matrices and directions of noise."""
    rng = np.random.default_rng(0)
    return Problem(
        asked,
        rng.normal(size=(64, n)) / n**0.5,
        rng.normal(size=(m, 64)) / 8,
        *[rng.normal(size=k) for k in (n, n, m)],
    )


@derivatives.contender("NumPy by hand")
def by_hand(problem):
    """The chain rule with matrices, in the order of the mode."""
    asked, m1, m2, x, x_dot, y_bar = problem

    def run():
        h = np.tanh(m1 @ x)
        slope, a = 1 - h * h, m2 @ h
        outer = np.cos(a)
        if asked == "jvp":
            return np.sin(a), outer * (m2 @ (slope * (m1 @ x_dot)))
        if asked == "vjp":
            return np.sin(a), ((y_bar * outer) @ m2 * slope) @ m1
        if asked == "forward Jacobian":
            return (outer[:, None] * (m2 @ (slope[:, None] * m1)),)
        return ((outer[:, None] * m2 * slope) @ m1,)

    return run


def asked_of(problem, f, x, x_dot, y_bar):
    """What is asked, with minigrad's functions."""
    if problem.asked == "jvp":
        return list(mg.jvp(f, (x,), (x_dot,)))
    if problem.asked == "vjp":
        y, pullback = mg.vjp(f, x)
        return [y, pullback(y_bar)[0]]
    return [mg.jacobian(f, mode=problem.asked.split()[0])(x)]


@derivatives.contender("minigrad dynamic")
def dynamic(problem):
    """mg.jvp, vjp, jacobian on Tensors."""
    m1, m2, x, x_dot, y_bar = map(mg.tensor, problem[1:])
    return lambda: asked_of(problem, problem.f(mg, m1, m2), x, x_dot, y_bar)


def static(backend):
    """A contender that builds the same calls into a Graph."""

    def contender(problem):
        with mg.Graph() as graph:
            m1, m2 = mg.constant(problem.m1), mg.constant(problem.m2)
            xs = [mg.placeholder(shape=a.shape) for a in problem[3:]]
            found = asked_of(problem, problem.f(mg, m1, m2), *xs)
        program, _ = libraries.program(graph, backend, found, xs)
        return lambda: program(*problem[3:])

    return contender


derivatives.contender("minigrad static")(static("codegen"))
derivatives.contender("minigrad numba")(static("numba"))
derivatives.contender("minigrad on JAX")(static("jax"))


@derivatives.contender("PyTorch eager")
def eager(problem, compile=lambda f: f):
    """torch.func, and torch.autograd for the vjp, where it is quicker."""
    torch = libraries.torch()
    m1, m2, x, x_dot, y_bar = map(torch.tensor, problem[1:])
    f = problem.f(torch, m1, m2)

    def vjp(x):
        x = x.detach().requires_grad_()
        y = f(x)
        return y.detach(), *torch.autograd.grad(y, x, y_bar)

    run = compile(
        {
            "jvp": lambda x: torch.func.jvp(f, (x,), (x_dot,)),
            "vjp": vjp,
            "forward Jacobian": lambda x: (torch.func.jacfwd(f)(x),),
            "reverse Jacobian": lambda x: (torch.func.jacrev(f)(x),),
        }[problem.asked]
    )
    return lambda: run(x)


@derivatives.contender("torch.compile")
def torch_compile(problem):
    """torch.func, compiled."""
    if problem.asked == "vjp":
        raise Unable("torch.autograd.grad breaks the graph")
    libraries.torch()
    return eager(problem, libraries.compiled())


@derivatives.contender("jax.jit")
def jit(problem):
    """jax.jvp, vjp, jacfwd, jacrev, compiled."""
    jax = libraries.jax()
    m1, m2, x, x_dot, y_bar = map(jax.numpy.asarray, problem[1:])
    f = problem.f(jax.numpy, m1, m2)

    def vjp(x):
        y, pullback = jax.vjp(f, x)
        return y, *pullback(y_bar)

    run = jax.jit(
        {
            "jvp": lambda x: jax.jvp(f, (x,), (x_dot,)),
            "vjp": vjp,
            "forward Jacobian": lambda x: (jax.jacfwd(f)(x),),
            "reverse Jacobian": lambda x: (jax.jacrev(f)(x),),
        }[problem.asked]
    )
    return lambda: jax.block_until_ready(run(x))


@derivatives.contender("autograd")
def autograd(problem):
    """make_jvp, make_vjp and jacobian, which loops over rows."""
    library = libraries.autograd()
    asked, m1, m2, x, x_dot, y_bar = problem
    f = problem.f(library.numpy, m1, m2)
    if asked == "jvp":
        return lambda: library.make_jvp(f)(x)(x_dot)
    if asked == "vjp":

        def run():
            pullback, y = library.make_vjp(f)(x)
            return y, pullback(y_bar)

        return run
    if asked == "forward Jacobian":
        raise Unable("has none")
    return lambda: [library.jacobian(f)(x)]


@derivatives.contender("PyTensor")
def pytensor(problem):
    """Rop, Lop and jacobian."""
    library = libraries.pytensor()
    xs = [library.tensor.vector(shape=a.shape) for a in problem[3:]]
    x, x_dot, y_bar = xs
    y = problem.f(library.tensor, problem.m1, problem.m2)(x)
    if problem.asked == "forward Jacobian":
        raise Unable("has none")
    asked = {
        "jvp": lambda: [y, library.gradient.Rop(y, x, x_dot)],
        "vjp": lambda: [y, library.gradient.Lop(y, x, y_bar)],
        "reverse Jacobian": lambda: [library.gradient.jacobian(y, x)],
    }[problem.asked]()
    program = library.function(xs, asked, on_unused_input="ignore")
    return lambda: program(*problem[3:])


D, S, T = "minigrad dynamic", "minigrad static", "PyTorch eager"
TARGETS = {  # by what is asked and the number of inputs: in the mode that is made for it
    ("jvp", 1): (Target(D, T, 0.45), Target(S, T, 0.30)),
    ("vjp", 1): (Target(D, T, 1.0),),
    ("vjp", 1000): (Target(D, T, 1.0),),
    ("forward Jacobian", 1): (Target(D, T, 1.2),),
    ("reverse Jacobian", 1000): (Target(D, T, 1.2),),
}


def workloads():
    """Each of the four questions for a tall function and for a wide one."""
    for asked in ("jvp", "vjp", "forward Jacobian", "reverse Jacobian"):
        for text, n, m in (("R → R^1000", 1, 1000), ("R^1000 → R", 1000, 1)):
            numbers = functools.partial(problem, asked, n, m)
            targets = TARGETS.get((asked, n), ())
            yield f"{asked} {text}", Workload(derivatives, numbers, targets)
