"""Axes, as learners write them and as ops take them, and what reducing them leaves."""

import numpy as np

from minigrad.core.errors import ArgumentError
from minigrad.core.op import Op, Operandlike, bind, name_after
from minigrad.core.ops.options import strict
from minigrad.core.signatures import Axes, Reduction
from minigrad.core.spec import is_whole_number, rank_of


def normalize_axes(axis, rank):
    """`axis` (None, a number or a tuple; negative counts from the end) as a sorted tuple."""
    if type(axis) is int and 0 <= axis < rank:
        return (axis,)
    if axis is None:
        return tuple(range(rank))
    axes = tuple(axis) if np.iterable(axis) else (axis,)
    for a in axes:
        if not is_whole_number(a) or not -rank <= a < rank:
            raise ArgumentError(
                f"axis {a} does not exist in an array of {rank} dimensions",
                f"choose from {-rank} to {rank - 1}" if rank else "leave axis out",
            )
    normal = tuple(sorted(int(a) % rank for a in axes))
    if len(set(normal)) < len(normal):
        raise ArgumentError(f"axis {axis} names one dimension twice", "name each axis once")
    return normal


def normalize_axis(axis, rank):
    """One axis (negative counts from the end) as a number from 0 on."""
    if axis is None or np.iterable(axis):
        raise ArgumentError(
            f"axis={axis} is not a single axis",
            "name it by a number: axis=0, or axis=-1 for the last",
        )
    return normalize_axes(axis, rank)[0]


def reduction(op: type[Op]) -> Reduction:
    """The function x → op(x) over `axis`: None for all axes, a number, or a tuple."""
    def function(x: Operandlike, axis: Axes = None, keepdims: bool = False) -> Operandlike:
        return bind(op, x, axis=normalize_axes(axis, rank_of(x)), keepdims=bool(keepdims))
    return strict(name_after(op, function))


def reduced_shape(shape, axes, keepdims):
    """The shape left when `axes` are summed away, or kept with length 1."""
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def reduce_into(out, ufunc, x, axis, keepdims):
    """ufunc.reduce of x, in a new array or in `out`, with the same bits.

    NumPy chooses an order of additions that suits both x and `out`: where x is no array that lies
    row by row, an `out` that does must not be seen.
    """
    if out is None or x.flags.c_contiguous:
        return ufunc.reduce(x, axis, keepdims=keepdims, out=out)
    out[...] = ufunc.reduce(x, axis, keepdims=keepdims)
    return out
