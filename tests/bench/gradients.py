"""Contenders for the value of a formula and its gradients: `problem.formula(library, *arrays)`."""

from typing import NamedTuple

import libraries
from registry import Family, Unable

import minigrad as mg

gradients = Family()


class Problem(NamedTuple):
    """A formula that returns one number, its arrays, and for how many of the first ones ∂ is asked.

    `by_hand(*arrays)` is the value and the gradients in plain NumPy, with temporaries.
    """

    formula: object
    arrays: list
    wanted: int
    by_hand: object

    @property
    def leading(self):
        """The numbers of the arguments that are differentiated for."""
        return tuple(range(self.wanted))


@gradients.contender("NumPy by hand")
def by_hand(problem):
    """Values kept in a list, gradients written out, a new array for each operation."""
    arrays = [a[()] for a in problem.arrays]  # an array of no dimension as a number: quicker
    return lambda: problem.by_hand(*arrays)


@gradients.contender("minigrad dynamic")
def dynamic(problem):
    """Tensors and backward()."""
    xs = [mg.tensor(a, requires_grad=i < problem.wanted) for i, a in enumerate(problem.arrays)]

    def run():
        for x in xs:
            x.grad = None
        y = problem.formula(mg, *xs)
        y.backward()
        return [y.detach(), *[x.grad for x in xs[: problem.wanted]]]

    return run


def static(backend):
    """A contender that builds a Graph once and runs it."""

    def contender(problem):
        with mg.Graph() as graph:
            xs = [mg.placeholder(f"x{i}", a.shape, a.dtype) for i, a in enumerate(problem.arrays)]
            y = problem.formula(mg, *xs)
            slopes = mg.gradients(y, xs[: problem.wanted])
        program, _ = libraries.program(graph, backend, [y, *slopes], xs)
        return lambda: program(*problem.arrays)

    return contender


gradients.contender("minigrad static")(static("codegen"))
gradients.contender("minigrad numba")(static("numba"))
gradients.contender("minigrad on JAX")(static("jax"))


@gradients.contender("PyTorch eager")
def eager(problem, compile=lambda f: f):
    """Tensors and backward()."""
    torch = libraries.torch()
    xs = [
        torch.as_tensor(a).requires_grad_(i < problem.wanted) for i, a in enumerate(problem.arrays)
    ]
    formula = compile(lambda *xs: problem.formula(torch, *xs))

    def run():
        for x in xs:
            x.grad = None
        y = formula(*xs)
        y.backward()
        return [y.detach(), *[x.grad for x in xs[: problem.wanted]]]

    return run


@gradients.contender("torch.compile")
def torch_compile(problem):
    """The formula compiled, and backward()."""
    libraries.torch()
    return eager(problem, libraries.compiled())


@gradients.contender("jax.jit")
def jit(problem):
    """jit(value_and_grad(formula))."""
    jax = libraries.jax()
    xs = [jax.numpy.asarray(a) for a in problem.arrays]
    both = jax.jit(jax.value_and_grad(lambda *xs: problem.formula(jax.numpy, *xs), problem.leading))

    def run():
        y, slopes = jax.block_until_ready(both(*xs))
        return [y, *slopes]

    return run


@gradients.contender("autograd")
def autograd(problem):
    """value_and_grad(formula)."""
    library = libraries.autograd()
    both = library.value_and_grad(lambda *xs: problem.formula(library.numpy, *xs), problem.leading)

    def run():
        y, slopes = both(*problem.arrays)
        return [y, *slopes]

    return run


@gradients.contender("MyGrad")
def mygrad(problem):
    """Tensors and backward()."""
    library = libraries.mygrad()
    xs = [library.tensor(a, constant=i >= problem.wanted) for i, a in enumerate(problem.arrays)]

    def run():
        y = problem.formula(library, *xs)
        y.backward()
        return [y.data, *[x.grad for x in xs[: problem.wanted]]]

    return run


@gradients.contender("PyTensor")
def pytensor(problem):
    """function(xs, [y, *grad(y, xs)])."""
    library = libraries.pytensor()
    xs = [library.tensor.tensor(shape=a.shape, dtype=str(a.dtype)) for a in problem.arrays]
    y = problem.formula(library.tensor, *xs)
    program = library.function(xs, [y, *library.grad(y, xs[: problem.wanted])])
    program.trust_input = True
    return lambda: program(*problem.arrays)


@gradients.contender("micrograd")
def micrograd(problem):
    """Single numbers only; + and · only."""
    Value = libraries.micrograd()
    if any(a.shape for a in problem.arrays):
        raise Unable("single numbers only")
    xs = [Value(float(a)) for a in problem.arrays]

    def run():
        for x in xs:
            x.grad = 0
        y = problem.formula(None, *xs)
        y.backward()
        return [y.data, *[x.grad for x in xs[: problem.wanted]]]

    try:
        run()
    except AttributeError:
        raise Unable("+ and · only") from None
    return run
