"""Jacobians and Hessians: derivatives in many directions, taken together where that can be."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from minigrad import autodiff
from minigrad.autodiff import forward_gradients, gradients, join_engines, list_floating
from minigrad.batch import Batch, Unbatched
from minigrad.errors import ArgumentError
from minigrad.modes import enable_grad
from minigrad.op import Value
from minigrad.ops.index import concatenate, stack
from minigrad.ops.shape import is_known, reshape, transpose
from minigrad.spec import spec_of
from minigrad.transform import FunctionCall, argument_index, grad, name_of
from minigrad.tree import LEAF

TOGETHER = 2**24  # entries of one value in all directions of a sweep: 128 MiB of float64


def jacobian(f: Callable, mode: str = "reverse", argnums: Any = 0) -> Callable:
    """A function returning ∂f/∂x as one array of shape [*y.shape, *x.shape].

    `argnums` says which arguments: a number, or a tuple for a tuple of Jacobians. Reverse mode
    takes a direction for each entry of y, forward mode one for each entry of x; a sweep takes
    many directions at once, unless an op on its way can only take one.
    """
    if mode not in ("reverse", "forward"):
        raise ArgumentError(f"jacobian has no mode {mode!r}", 'use "reverse" or "forward"')

    @functools.wraps(f)
    def matrices(*arguments: Any, **keywords: Any) -> Any:
        single = isinstance(argnums, int)
        places = [argument_index(a, arguments) for a in ([argnums] if single else argnums)]
        call = FunctionCall(f, arguments, places, keywords)
        if call.y_structure is not LEAF or call.x_structure != [LEAF] * len(places):
            fact = f"jacobian of {name_of(f)}, which takes or returns a nest"
            raise ArgumentError(fact, "give and return single arrays, or use vjp or jvp")
        for v in (*call.xs, *call.ys):
            if not is_known(v.shape):
                fact = f"jacobian with {spec_of(v)}: a length is unknown"
                raise ArgumentError(fact, "declare all lengths of the placeholder")
        with enable_grad():
            (y,), xs = join_engines(list_floating(call.ys, "y"), list_floating(call.xs, "x"))
            found = (
                compute_rows(y, xs) if mode == "reverse" else [compute_columns(y, x) for x in xs]
            )
        found = call.released(found)
        return found[0] if single else tuple(found)

    return matrices


def compute_rows(y: Value, xs: Sequence[Value]) -> list:
    """∂y/∂x for each x, by reverse mode: the cotangents of x along the entries of y."""
    path = autodiff.between(xs, [y])
    parts = [pull_batch(path, y, xs, y_bars) for y_bars in unit_directions(y, path)]
    return [
        reshape(concatenate_batches(x_bars, x), (*y.shape, *x.shape))
        for x, x_bars in zip(xs, zip(*parts) if parts else [()] * len(xs))
    ]


def compute_columns(y: Value, x: Value) -> Any:
    """∂y/∂x by forward mode: the tangents of y along the entries of x."""
    path = autodiff.between([x], [y])
    y_dots = concatenate_batches(
        [push_batch(path, y, x, x_dots) for x_dots in unit_directions(x, path)], y
    )
    return reshape(transpose(y_dots, (*range(1, 1 + len(y.shape)), 0)), (*y.shape, *x.shape))


def concatenate_batches(parts: Sequence, v: Value) -> Any:
    """Derivatives of v in all directions: [directions, *v.shape]."""
    if not parts:
        return v.lift(np.zeros((0, *v.shape), v.dtype))
    return v.lift(concatenate(parts) if len(parts) > 1 else parts[0])


def pull_batch(path: dict[int, Value], y: Value, xs: Sequence[Value], y_bars: Any) -> list:
    """Cotangents [directions, *x.shape] of each x, for those of y."""
    try:
        if any(z.hooks for z in path.values()):
            raise Unbatched("a hook")
        sweep = autodiff.reverse_sweep(dict(path), {y.order: Batch(y_bars)})
        found = {z.order: z_bar.values for z, z_bar, _ in sweep}
    except Unbatched:
        alone = [gradients(y, xs, y_bar, unconnected="zero") for y_bar in y_bars]
        return [stack(x_bars) for x_bars in zip(*alone)]
    return [
        found[x.order] if x.order in found else np.zeros((len(y_bars), *x.shape), x.dtype)
        for x in xs
    ]


def push_batch(path: dict[int, Value], y: Value, x: Value, x_dots: Any) -> Any:
    """Tangents [directions, *y.shape] of y, for those of x."""
    try:
        found = autodiff.forward_sweep(path, {x.order: Batch(x_dots)}).get(y.order)
    except Unbatched:
        return stack([forward_gradients(y, x, x_dot, unconnected="zero")[0] for x_dot in x_dots])
    return np.zeros((len(x_dots), *y.shape), y.dtype) if found is None else found.values


def unit_directions(v: Value, path: dict[int, Value]) -> Iterator[np.ndarray]:
    """The unit arrays of v's shape, one for each entry: as many at once as memory allows."""
    largest = max([math.prod(z.shape) for z in path.values() if is_known(z.shape)], default=1)
    size, most = math.prod(v.shape), max(1, TOGETHER // max(largest, 1))
    for start in range(0, size, most):
        count = min(most, size - start)
        yield np.eye(count, size, start, v.dtype).reshape(count, *v.shape)


def hessian(f: Callable) -> Callable:
    """A function returning ∂²f/∂x∂x as [*x.shape, *x.shape]: forward over reverse."""
    return jacobian(grad(f), mode="forward")
