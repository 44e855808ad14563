"""Values made from a shape or a range: Tensors, and constants inside `with graph:`."""

import math
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, GraphError
from minigrad.core.modes import open_graph
from minigrad.core.op import Value, ZerosLike, bind
from minigrad.core.ops.elementwise import cast
from minigrad.core.ops.shape import BroadcastLike, broadcast_to, expand_dims, lengths_tuple
from minigrad.core.ops.shape import fill_like as filled_like
from minigrad.core.signatures import ShapeLike, takes_one
from minigrad.core.spec import as_array, number_type, spec_of
from minigrad.dynamic.conversions import Conversions, python_number
from minigrad.dynamic.tensor import Tensor, TensorOrNode, tensor


def new_value(numbers: Any, requires_grad: bool, name: str | None) -> TensorOrNode:
    """The numbers as a Tensor; as a constant inside `with graph:`."""
    graph = open_graph()
    if graph is None:
        return tensor(numbers, requires_grad, name=name)
    refuse_grad(requires_grad)
    return graph.constant(numbers, name)


def refuse_grad(requires_grad: bool) -> None:
    """Raises GraphError where a value of a graph, which is no variable, is to require grad."""
    if requires_grad:
        message = "a constant of a graph cannot require a gradient"
        hint = "write mg.Variable(np.zeros(3)), and differentiate with mg.gradients"
        raise GraphError(message, hint)


def require_grad(z: Any, requires_grad: bool) -> Any:
    """z; a Tensor of its numbers that requires grad, where that is asked for."""
    if not requires_grad:
        return z
    if isinstance(z, Value) and not isinstance(z, Tensor):
        refuse_grad(requires_grad)
    return tensor(z, requires_grad)


def full(
    shape: ShapeLike,
    value: Any,
    dtype: Any = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> TensorOrNode:
    """Make a value of this shape, filled with `value`; derivatives pass on to `value`.

    >>> mg.full((2,), 7.0)
    tensor([7., 7.])
    """
    value = value if isinstance(value, Value) else as_array(value)
    spread = broadcast_to(value, lengths_tuple(shape))
    spread = spread if dtype is None else cast(spread, number_type(dtype))
    if isinstance(value, Value) and not requires_grad:
        return spread
    return new_value(spread, requires_grad, name)


def zeros(
    shape: ShapeLike, dtype: Any = float, requires_grad: bool = False, name: str | None = None
) -> TensorOrNode:
    """Make a value of this shape, filled with 0.

    >>> mg.zeros(2)
    tensor([0., 0.])
    """
    return full(shape, 0, number_type(dtype), requires_grad, name)


def ones(
    shape: ShapeLike, dtype: Any = float, requires_grad: bool = False, name: str | None = None
) -> TensorOrNode:
    """Make a value of this shape, filled with 1.

    >>> mg.ones(2)
    tensor([1., 1.])
    """
    return full(shape, 1, number_type(dtype), requires_grad, name)


def eye(
    rows: int, columns: int | None = None, dtype: Any = float, requires_grad: bool = False
) -> TensorOrNode:
    """Make the identity matrix, with 1 on the diagonal and 0 elsewhere.

    >>> mg.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    sides = lengths_tuple((rows, rows if columns is None else columns))
    return new_value(np.eye(*sides, dtype=number_type(dtype)), requires_grad, None)


def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, requires_grad: bool = False
) -> TensorOrNode:
    """Make the numbers start, start + step, … below stop; arange(n) counts from 0.

    >>> mg.arange(3)
    tensor([0, 1, 2])
    """
    start, stop = (0, start) if stop is None else (start, stop)
    if not step:
        raise ArgumentError("arange with a step of 0 never ends", "give another step")
    dtype = None if dtype is None else number_type(dtype)
    ends = [as_number(end, "arange()") for end in (start, stop, step)]
    if not all(map(math.isfinite, ends)):
        message = f"arange from {ends[0]} to {ends[1]} in steps of {ends[2]} has no end"
        raise ArgumentError(message, "give finite numbers")
    return new_value(np.arange(*ends, dtype=dtype), requires_grad, None)


def linspace(
    start: Any, stop: Any, num: int = 50, dtype: Any = None, requires_grad: bool = False
) -> TensorOrNode:
    """Make `num` numbers at equal distances from start to stop, both included.

    Derivatives of start and stop go through, unless it shall be a leaf with `requires_grad`.

    >>> mg.linspace(0.0, 1.0, 3)
    tensor([0. , 0.5, 1. ])
    """
    count = lengths_tuple(num)
    if len(count) != 1:
        message = f"linspace takes how many numbers to make, not {num!r}"
        raise ArgumentError(message, "write for example linspace(0.0, 1.0, 3)")
    dtype = None if dtype is None else number_type(dtype)
    if isinstance(start, Value) or isinstance(stop, Value):
        steps = np.linspace(0, 1, *count)
        line = (1 - steps) * expand_dims(start, -1) + steps * expand_dims(stop, -1)
        return require_grad(line if dtype is None else cast(line, dtype), requires_grad)
    ends = as_array(start), as_array(stop)
    return new_value(np.linspace(*ends, *count, dtype=dtype), requires_grad, None)


def as_number(x: Any, how: str) -> Any:
    """A number, or the only entry of a Tensor that takes part in no derivative."""
    if isinstance(x, Conversions):
        return python_number(x, how)
    if isinstance(x, Value):
        return x.item()  # type: ignore[attr-defined]  # a Node has none, and says so
    array = as_array(x)
    return array.item() if isinstance(x, np.ndarray) else x


@takes_one
def zeros_like(x: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Compute z = 0 in every entry of x, in x's dtype or in `dtype`; no derivative passes to x.

    >>> mg.zeros_like([3.0, 4.0])
    array([0., 0.])
    """
    z = bind(ZerosLike, x)
    return require_grad(z if dtype is None else cast(z, number_type(dtype)), requires_grad)


@takes_one
def ones_like(x: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Compute z = 1 in every entry of x, in x's dtype or in `dtype`; no derivative passes to x.

    >>> mg.ones_like([3.0, 4.0])
    array([1., 1.])
    """
    return full_like(x, 1, dtype, requires_grad)


@takes_one
def full_like(x: Any, value: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Compute z = the number `value` in every entry of x, in x's dtype or in `dtype`.

    Derivatives of `value` go through; x gets none.

    >>> mg.full_like([1.0, 2.0], 7.0)
    array([7., 7.])
    """
    dtype = dtype if dtype is None else number_type(dtype)
    if isinstance(value, Value):
        value = cast(value, dtype or spec_of(x).dtype)
        return require_grad(bind(BroadcastLike, value, bind(ZerosLike, x)), requires_grad)
    return require_grad(filled_like(x, as_number(value, "full_like()"), dtype), requires_grad)
