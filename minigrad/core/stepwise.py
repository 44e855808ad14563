"""The two sweeps step by step, as lists, for lessons and drawings."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from minigrad.core import autodiff
from minigrad.core.op import Value


class Adjoint(NamedTuple):
    """A primal, its cotangent, and the partial adjoints it is the sum of: (consumer, share)."""

    primal: Value
    value: Any
    partials: list[Any]


class Tangent(NamedTuple):
    """A primal and its tangent."""

    primal: Value
    value: Any


def adjoint_trace(y: Value, xs: Any = None, seed: Any = None) -> list[Adjoint]:
    """The reverse sweep from y as a list of Adjoints, last computed first.

    `xs` are the values to reach; by default all leaves that y depends on.
    """
    (y,) = autodiff.list_floating(y, "y")
    (seed,) = autodiff.seed_values([y], [seed], "seed", autodiff.ones_for)
    xs = leaves(y) if xs is None else autodiff.list_floating(xs, "x")
    path = autodiff.differentiable_path(xs, [y])
    return list_adjoints(autodiff.reverse_sweep(path, {y.order: seed}, steps=True))


def recorded_adjoints(y: Value) -> list[Adjoint]:
    """The Adjoints of the last backward pass from y, of either engine, last computed first.

    A graph knows them by its ledger, and gets no new node. A Tensor keeps numbers, not adjoints:
    for small graphs they are computed once more, from what was noted when backward freed them.
    Raises GradientError where no pass was made, or nothing was noted.
    """
    (y,) = autodiff.list_floating(y, "y")
    return list_adjoints(y.recorded_steps())


def list_adjoints(steps: Iterable[Any]) -> list[Adjoint]:
    """The Adjoints of the steps of a reverse sweep."""
    shares: dict[int, list[Any]] = defaultdict(list)
    trace = []
    for z, z_bar, passed in steps:
        trace.append(Adjoint(z, z_bar, shares[z.order]))
        for x, share, _ in passed:
            shares[x.order].append((z, share))
    return trace


def tangent_trace(y: Value, xs: Any, tangents: Any) -> list[Tangent]:
    """The forward sweep to y as a list of Tangents, in order of computation."""
    seeds = autodiff.list_seeds(tangents, xs)
    (y,), xs = autodiff.list_floating(y, "y"), autodiff.list_floating(xs, "x")
    seeds = autodiff.seed_values(xs, seeds, "tangents", None)
    path = autodiff.differentiable_path(xs, [y])
    given = autodiff.accumulate_pairs((x.order, seed) for x, seed in zip(xs, seeds))
    found = autodiff.forward_sweep(path, given)
    return [Tangent(path[order], found[order]) for order in path if order in found]


def leaves(y: Value) -> list[Value]:
    """The floating values without inputs that y depends on and may be differentiated for."""
    return [v for v in autodiff.ancestors([y]) if v.differentiable_leaf]
