"""Contenders for the value of a formula alone, without recording it for derivatives."""

import libraries
import numpy as np
from registry import Family

import minigrad as mg

values = Family()


@values.contender("NumPy by hand")
def by_hand(problem):
    """The formula on arrays."""
    arrays = [a[()] for a in problem.arrays]
    return lambda: [problem.formula(np, *arrays)]


@values.contender("minigrad dynamic")
def dynamic(problem):
    """Tensors that require grad, in no_grad."""
    xs = [mg.tensor(a, requires_grad=True) for a in problem.arrays]

    def run():
        with mg.no_grad():
            return [problem.formula(mg, *xs)]

    return run


def static(backend):
    """A contender that builds a Graph once and runs it."""

    def contender(problem):
        with mg.Graph() as graph:
            xs = [mg.placeholder(f"x{i}", a.shape, a.dtype) for i, a in enumerate(problem.arrays)]
            y = problem.formula(mg, *xs)
        program, _ = libraries.program(graph, backend, [y], xs)
        return lambda: program(*problem.arrays)

    return contender


values.contender("minigrad static")(static("codegen"))
values.contender("minigrad numba")(static("numba"))
values.contender("minigrad on JAX")(static("jax"))


@values.contender("PyTorch eager")
def eager(problem, compile=lambda f: f):
    """Tensors that require grad, in no_grad."""
    torch = libraries.torch()
    xs = [torch.as_tensor(a).requires_grad_() for a in problem.arrays]
    formula = compile(lambda *xs: problem.formula(torch, *xs))

    def run():
        with torch.no_grad():
            return [formula(*xs)]

    return run


@values.contender("torch.compile")
def torch_compile(problem):
    """The same, compiled."""
    libraries.torch()
    return eager(problem, libraries.compiled())


@values.contender("jax.jit")
def jit(problem):
    """jit(formula)."""
    jax = libraries.jax()
    xs = [jax.numpy.asarray(a) for a in problem.arrays]
    formula = jax.jit(lambda *xs: problem.formula(jax.numpy, *xs))
    return lambda: [jax.block_until_ready(formula(*xs))]


@values.contender("MyGrad")
def mygrad(problem):
    """Tensors in no_autodiff."""
    library = libraries.mygrad()
    xs = [library.tensor(a) for a in problem.arrays]

    def run():
        with library.no_autodiff:
            return [problem.formula(library, *xs).data]

    return run
