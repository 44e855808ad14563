"""The two sweeps step by step, as lists, for lessons and drawings."""

from typing import Any, NamedTuple

from minigrad.autodiff import (
    ancestors,
    between,
    forward_sweep,
    list_floating,
    list_seeds,
    ones_for,
    reverse_sweep,
    seed_values,
    sum_pairs,
)
from minigrad.op import Value


class Adjoint(NamedTuple):
    """A primal, its cotangent, and the partial adjoints it is the sum of: (consumer, share)."""

    primal: Value
    value: Any
    partials: list


class Tangent(NamedTuple):
    """A primal and its tangent."""

    primal: Value
    value: Any


def adjoint_trace(y: Value, xs: Any = None, seed: Any = None) -> list[Adjoint]:
    """The reverse sweep from y as a list of Adjoints, last computed first.

    `xs` are the values to reach; by default all leaves that y depends on.
    """
    (y,) = list_floating(y, "y")
    (seed,) = seed_values([y], [seed], "seed", ones_for)
    path = between(leaves(y) if xs is None else list_floating(xs, "x"), [y])
    shares: dict[int, list] = {order: [] for order in path}
    trace = []
    for z, z_bar, passed in reverse_sweep(path, {y.order: seed}):
        trace.append(Adjoint(z, z_bar, shares[z.order]))
        for x, share, _ in passed:
            shares[x.order].append((z, share))
    return trace


def tangent_trace(y: Value, xs: Any, tangents: Any) -> list[Tangent]:
    """The forward sweep to y as a list of Tangents, in order of computation."""
    seeds = list_seeds(tangents, xs)
    (y,), xs = list_floating(y, "y"), list_floating(xs, "x")
    seeds = seed_values(xs, seeds, "tangents", None)
    path = between(xs, [y])
    found = forward_sweep(path, sum_pairs((x.order, s) for x, s in zip(xs, seeds)))
    return [Tangent(path[order], found[order]) for order in path if order in found]


def leaves(y: Value) -> list[Value]:
    """The floating values without inputs that y depends on and may be differentiated for."""
    return [v for v in ancestors([y]) if v.differentiable_leaf]
