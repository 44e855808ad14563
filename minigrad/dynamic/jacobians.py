"""Jacobians and Hessians: derivatives in many directions, taken together where that can be."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, overload

import numpy as np

from minigrad.core import autodiff, modes
from minigrad.core.autodiff import forward_gradients, gradients, join_engines, list_floating
from minigrad.core.errors import ArgumentError, name_of
from minigrad.core.modes import enable_grad, no_grad
from minigrad.core.op import Value
from minigrad.core.ops.index import concatenate, stack
from minigrad.core.ops.shape import is_known, reshape, transpose
from minigrad.core.pytree import LEAF
from minigrad.core.signatures import Argnums, Values
from minigrad.core.spec import spec_of
from minigrad.dynamic.batch import Batch, Unbatched
from minigrad.dynamic.tensor import Tensor, TensorOrNode, new_leaves, numbers_of
from minigrad.dynamic.transform import (
    Derivative,
    FunctionCall,
    argument_places,
    grad,
    is_outside,
)

TOGETHER = 2**24  # entries of one value in all directions of a sweep: 128 MiB of float64


@overload
def jacobian(f: Callable[..., Any], mode: str = "reverse") -> Derivative: ...
@overload
def jacobian(
    f: Callable[..., Any], mode: str = "reverse", *, argnums: tuple[int, ...]
) -> Callable[..., tuple[TensorOrNode, ...]]: ...
@overload
def jacobian(
    f: Callable[..., Any], mode: str = "reverse", argnums: Argnums = 0
) -> Callable[..., Any]: ...


def jacobian(f: Callable[..., Any], mode: str = "reverse", argnums: Argnums = 0) -> Any:
    """Return a function for ∂f/∂x as one array of shape [*y.shape, *x.shape].

    `argnums` says which arguments: a number, or a tuple for a tuple of Jacobians. Reverse mode
    takes a direction for each entry of y, forward mode one for each entry of x; a sweep takes
    many directions at once, unless an op on its way can only take one.

    >>> mg.jacobian(lambda x: x * x)(mg.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if mode not in ("reverse", "forward"):
        raise ArgumentError(f"jacobian has no mode {mode!r}", 'use "reverse" or "forward"')

    @functools.wraps(f)
    def matrices(*arguments: Any, **keywords: Any) -> Any:
        places, single = argument_places(argnums, arguments)
        call = FunctionCall(f, arguments, places, keywords)
        if call.y_structure is not LEAF or call.x_structure != [LEAF] * len(places):
            message = f"jacobian of {name_of(f)}, which takes or returns a list, tuple or dict"
            raise ArgumentError(message, "pass and return single arrays, or use vjp or jvp")
        for v in (*call.xs, *call.ys):
            if not is_known(v.shape):
                message = f"jacobian with {spec_of(v)}: a length is unknown"
                raise ArgumentError(message, "declare all lengths of the placeholder")
        (y,), xs = join_engines(list_floating(call.ys, "y"), list_floating(call.xs, "x"))
        if mode == "reverse":
            found = compute_rows(call, y, xs)
        else:
            found = [compute_columns(call, y, x) for x in xs]
        found = call.drop_histories(found)
        return found[0] if single else tuple(found)

    return matrices


def compute_rows(call: FunctionCall, y: Value, xs: Sequence[Value]) -> list[Any]:
    """∂y/∂x for each x, by reverse mode: the cotangents of x along the entries of y."""
    if is_single(y):  # one direction needs no Batch
        rows = call.x_bars([np.ones(y.shape, y.dtype)])
    else:
        path = autodiff.differentiable_path(xs, [y])
        with sweep_mode(call) as values:
            parts = [pull_batch(path, y, xs, y_bars, values) for y_bars in unit_directions(y, path)]
        x_bars = zip(*parts) if parts else [()] * len(xs)
        rows = lift_derivatives([*map(concatenate_batches, x_bars, xs)], xs)
    return [reshape(row, (*y.shape, *x.shape)) for row, x in zip(rows, xs)]


def compute_columns(call: FunctionCall, y: Value, x: Value) -> Any:
    """∂y/∂x by forward mode: the tangents of y along the entries of x."""
    if len(call.xs) == 1 and is_single(x):  # one direction needs no Batch
        return reshape(call.y_dots([np.ones(x.shape, x.dtype)])[0], (*y.shape, *x.shape))
    path = autodiff.differentiable_path([x], [y])
    with sweep_mode(call) as values:
        parts = [push_batch(path, y, x, x_dots, values) for x_dots in unit_directions(x, path)]
    y_dots = lift_derivatives([concatenate_batches(parts, y)], [y])[0]
    return reshape(transpose(y_dots, (*range(1, 1 + len(y.shape)), 0)), (*y.shape, *x.shape))


def is_single(v: Value) -> bool:
    """True for a value with one entry."""
    return v.shape == (1,) * len(v.shape)


@contextmanager
def sweep_mode(call: FunctionCall) -> Iterator[Callable[..., Any]]:
    """Within it a sweep of `call` runs; gives what its rules compute with.

    Those are arrays, unless an outer derivative goes through.
    """
    dynamic = all([isinstance(v, Tensor) for v in (*call.xs, *call.ys)])
    outer = call.recording and any([is_outside(y, call.xs) for y in call.ys])
    closed = dynamic and not (outer or modes.mode().tracing or modes.mode().lazy)
    with no_grad() if closed else enable_grad():
        yield numbers_of if closed else autodiff.itself


def lift_derivatives(derivatives: Values, xs: Sequence[Value]) -> list[Any]:
    """Derivatives, arrays or values, as values of the engine of xs, in memory of their own."""
    if all([type(d) is np.ndarray and isinstance(x, Tensor) for d, x in zip(derivatives, xs)]):
        return new_leaves(derivatives, ())
    return [x.lift(d) for d, x in zip(derivatives, xs)]


def concatenate_batches(parts: Values, v: Value) -> Any:
    """Derivatives of v in all directions: [directions, *v.shape]."""
    if not parts:
        return np.zeros((0, *v.shape), v.dtype)
    return concatenate(parts) if len(parts) > 1 else parts[0]


def pull_batch(
    path: dict[int, Value], y: Value, xs: Sequence[Value], y_bars: Any, values: Callable[..., Any]
) -> list[Any]:
    """Cotangents [directions, *x.shape] of each x, for those of y."""
    try:
        if any(z.hooks for z in path.values()):
            raise Unbatched("a hook")
        sweep = autodiff.reverse_sweep(dict(path), {y.order: Batch(y_bars)}, values)
        found = {z.order: z_bar.values for z, z_bar, _ in sweep}
    except Unbatched:
        with enable_grad():
            alone = [gradients(y, xs, y_bar, unconnected="zero") for y_bar in y_bars]
            return [stack(x_bars) for x_bars in zip(*alone)]
    return [
        found[x.order] if x.order in found else np.zeros((len(y_bars), *x.shape), x.dtype)
        for x in xs
    ]


def push_batch(
    path: dict[int, Value], y: Value, x: Value, x_dots: Any, values: Callable[..., Any]
) -> Any:
    """Tangents [directions, *y.shape] of y, for those of x."""
    try:
        found = autodiff.forward_sweep(path, {x.order: Batch(x_dots)}, values).get(y.order)
    except Unbatched:
        with enable_grad():
            alone = [forward_gradients(y, x, d, unconnected="zero") for d in x_dots]
            return stack([y_dot for (y_dot,) in alone])
    return np.zeros((len(x_dots), *y.shape), y.dtype) if found is None else found.values


def unit_directions(v: Value, path: dict[int, Value]) -> Iterator[np.ndarray]:
    """The unit arrays of v's shape, one for each entry: as many at once as memory allows."""
    largest = max([math.prod(z.shape) for z in path.values() if is_known(z.shape)], default=1)
    size, most = math.prod(v.shape), max(1, TOGETHER // max(largest, 1))
    for start in range(0, size, most):
        count = min(most, size - start)
        yield np.eye(count, size, start, v.dtype).reshape(count, *v.shape)


def hessian(f: Callable[..., Any]) -> Derivative:
    """Return a function for ∂²f/∂x∂x as [*x.shape, *x.shape]: forward over reverse.

    >>> mg.hessian(lambda x: mg.sum(x ** 3))(mg.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacobian(grad(f), mode="forward")
