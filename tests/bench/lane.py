"""What shortcuts bring: a chain of a thousand small operations with them, and without them."""

import functools

from chain import mixed, mixed_by_hand, problem
from registry import Family, Target, Workload

import minigrad as mg

forward, backward = Family(), Family()


def tensors(problem):
    """The arrays as Tensors that are differentiated for."""
    return [mg.tensor(a, requires_grad=True) for a in problem.arrays]


@forward.contender("minigrad dynamic")
def computed(problem):
    """The chain, remembered."""
    xs = tensors(problem)
    return lambda: [problem.formula(mg, *xs).detach()]


@backward.contender("minigrad dynamic")
def differentiated(problem):
    """backward() through a chain that is kept."""
    xs = tensors(problem)
    y = problem.formula(mg, *xs)

    def run():
        for x in xs:
            x.grad = None
        y.backward(retain_graph=True)
        return [x.grad for x in xs]

    return run


forward.contender("minigrad plain")(lambda problem: mg.plain(computed(problem)))
backward.contender("minigrad plain")(lambda problem: mg.plain(differentiated(problem)))


def workloads():
    """Both directions, on a small array and on single numbers."""
    for name, family in (("forward", forward), ("backward", backward)):
        for shape in ((8,), ()):
            yield (
                f"shortcuts, chain {name} on {shape}",
                Workload(
                    family,
                    functools.partial(problem, mixed, mixed_by_hand, 1000, shape),
                    (Target("minigrad dynamic", "minigrad plain", 0.6),),
                ),
            )
