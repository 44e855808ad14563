"""Checkpoints for Tensors: a function whose inner values are computed again when needed."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from minigrad.core import autodiff
from minigrad.core.errors import ArgumentError, GradientError, name_of
from minigrad.core.modes import enable_grad, mode
from minigrad.core.op import Op
from minigrad.core.spec import Spec
from minigrad.dynamic.tensor import (
    Tensor,
    forward_arrays,
    new_tensor,
    reverse_arrays,
    tick,
)

F = TypeVar("F", bound=Callable[..., Any])
ByOrder = dict[int, Any]


def checkpoint(function: F) -> F:
    """function, of whose computation a backward pass finds nothing but the operands and the result.

    A call on Tensors computes the same numbers, and frees the values in between. A backward pass
    calls function again when it needs them, so a net of n layers in segments of k layers holds
    about n / k + k values instead of n, for one more forward pass. Tensors that function uses
    without being given them, such as weights, get their gradients too, and results can be
    differentiated again. function has to compute the same numbers in both calls, and to return one
    Tensor. Only the results are compared: a difference inside that they don't show, such as another
    dropout before weights of 0, stays unseen, and the gradients are those of the second call.
    Nodes of a Graph are not concerned: mg.gradients(…, checkpoints=) is for them.
    Source: Chen et al., 2016, "Training deep nets with sublinear memory cost".
    Raises ArgumentError for several results, GradientError in backward() for another result.

    >>> @mg.checkpoint
    ... def block(x):
    ...     return mg.tanh(x @ W1) @ W2
    """

    @functools.wraps(function)
    def call(*operands: Any, **options: Any) -> Any:
        now = mode()
        if not now.recording or now.tracing or now.lazy:
            return function(*operands, **options)
        start = tick()
        y = function(*operands, **options)
        refuse_several(function, y)
        if not isinstance(y, Tensor) or not y.tracked or y.order < start:
            return y
        _, sources = inner_path(y, start)
        again = Again(function, operands, options, sources)
        shared = isinstance(y.array, np.ndarray) and not y.array.flags.owndata
        data = y.array.copy() if shared else y.array
        return new_tensor(data, Checkpoint, tuple(sources), {"function": again}, True)

    return cast(F, call)


def refuse_several(function: Any, result: Any) -> None:
    """Raises ArgumentError for several results that have derivatives."""
    several = result.values() if isinstance(result, dict) else result
    if isinstance(result, (tuple, list, dict)) and any(
        isinstance(y, Tensor) and y.tracked for y in several
    ):
        message = f"checkpoint: {name_of(function)} returned {type(result).__name__}"
        raise ArgumentError(message, "return one Tensor; mg.concatenate or mg.stack joins several")


def inner_path(y: Tensor, start: int) -> tuple[ByOrder, list[Any]]:
    """({order: value} of what requires grad and was computed after `start`, y included, in order of
    creation; the values from before on which it depends)."""
    found, sources, waiting = {y.order: y}, {}, [y]
    for v in waiting:  # it grows on the way
        v.verify()
        for x in v.inputs:
            if x.tracked and x.order not in found and x.order not in sources:
                x = x.resolve() if x.extra else x
                if x.order < start:
                    sources[x.order] = x
                else:
                    found[x.order] = x
                    waiting.append(x)
    return {order: found[order] for order in sorted(found)}, [sources[at] for at in sorted(sources)]


class Again:
    """A call that can be made again: the function, its operands, and the values it depends on."""

    def __init__(
        self, function: Any, operands: tuple[Any, ...], options: Any, sources: list[Any]
    ) -> None:
        self.function, self.operands, self.options, self.sources = (
            function,
            operands,
            options,
            sources,
        )

    def __repr__(self) -> str:
        return name_of(self.function)

    def run(self, z: Any) -> tuple[Tensor, ByOrder]:
        """(the result, its inner values) of another call. Raises GradientError where it differs."""
        with enable_grad():
            start = tick()
            y = self.function(*self.operands, **self.options)
        path, sources = inner_path(y, start) if isinstance(y, Tensor) else ({}, [])
        numbers = z.array if isinstance(z, Tensor) else z
        known = {x.order for x in self.sources}
        same = sources and np.array_equal(y.array, numbers, equal_nan=True)
        if not same or any(x.order not in known for x in sources):
            message = f"{self} returned different numbers when checkpoint called it again"
            hint = "let it depend only on its operands: pass a key to dropout, and change no values"
            raise GradientError(message, hint)
        y.array = numbers  # the same bits: one array of them is enough
        return y, path

    def pull(self, z: Any, z_bar: Any, wanted: Sequence[bool]) -> list[Any]:
        """The cotangents of the wanted sources, from that of the result."""
        y, path = self.run(z)
        stands = {x.order: border_leaf(x) for x, want in zip(self.sources, wanted) if want}
        path, first = stands | path, {y.order: z_bar}
        del y  # what was computed again is freed as the sweep goes on
        plain = not isinstance(z_bar, Tensor)
        sweep = reverse_arrays(path, first) if plain else autodiff.reverse_sweep(path, first)
        found = {v.order: v_bar for v, v_bar, _ in sweep if v.order in stands}
        return [found.get(x.order) for x in self.sources]

    def push(self, z: Any, x_dots: Sequence[Any]) -> Any:
        """The tangent of the result, from those of the sources."""
        y, path = self.run(z)
        tangents = {x.order: d for x, d in zip(self.sources, x_dots) if d is not None}
        plain = not any(isinstance(d, Tensor) for d in tangents.values())
        (forward_arrays if plain else autodiff.forward_sweep)(path, tangents)
        return tangents.get(y.order)


def border_leaf(x: Tensor) -> Tensor:
    """A leaf that a sweep takes for x, and beyond which it does not go."""
    leaf = new_tensor(x.array, tracked=True)
    leaf.order = x.order
    return leaf


class Checkpoint(Op):
    """The result of a function whose inner values were freed."""

    pure = False
    says = "{z} is what a function computes from {xs}. Its inner values are not kept."
    says_back = "The function runs again, and its own backward pass gives {to} {amount}."

    @classmethod
    def infer(op, *specs: Spec, function: Any) -> Spec:
        """Raises GradientError: a graph of Tensors cannot become one of Nodes here."""
        raise GradientError(
            "checkpoint works only with Tensors", "call the function itself in a graph"
        )

    @classmethod
    def operands(op, count: int) -> list[str]:
        return [f"x{at}" for at in range(count)]

    @classmethod
    def pullback(op, xs: Any, z: Any, z_bar: Any, wanted: Any, params: Any) -> Any:
        return params["function"].pull(z, z_bar, wanted)

    @classmethod
    def pushforward(op, xs: Any, z: Any, x_dots: Any, params: Any) -> Any:
        return params["function"].push(z, x_dots)
