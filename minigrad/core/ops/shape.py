"""Ops that move entries without changing them: broadcast, reshape, transpose."""

from typing import Any
import math
import operator
from collections.abc import Iterable, Sequence

import numpy as np

from minigrad.core.errors import ArgumentError, ShapeError
from minigrad.core.op import Linear, Operandlike, ZerosLike, bind, read_now
from minigrad.core.ops.options import strict
from minigrad.core.spec import (
    Spec, as_contiguous, broadcast_shapes, is_compatible, rank_of, spec_of,
)  # fmt: skip
from minigrad.core.ops.axes import normalize_axes
from minigrad.core.signatures import Axes, ShapeLike, takes_one


def is_known(shape: Iterable[int | None]) -> bool:
    """True when every length is a number."""
    return None not in shape


# broadcast ---------------------------------------------------------------------------------------


class BroadcastTo(Linear):
    """z = x repeated to `shape`; a length that is unknown may be `shape`'s, or 1."""

    says = "{z} is {x}, repeated to the shape {shape}."
    says_back = "{to} was repeated, so it receives the sum of {z_bar} over all its copies."
    view = True

    @classmethod
    def broadcast_lengths(op, shapes, z_shape, *, shape):
        return [(shapes[0], z_shape)]

    def infer(x, *, shape):
        try:
            fits = broadcast_shapes(x.shape, shape) == shape
        except ShapeError:
            fits = False
        if not fits:
            raise ShapeError(f"{{x}} does not broadcast to {shape}",
                             "lengths must agree, or be 1 in the value that is repeated")
        return Spec(shape, x.dtype)

    def compute(x, *, shape):
        return np.broadcast_to(x, shape)

    def transpose(z_bar, x, *, shape):
        return z_bar  # the sweep sums it down to x's shape, as for every op


class BroadcastLike(Linear):
    """z = x repeated to the shape of `like`, for lengths known only at run time."""

    says = "{z} is {x}, repeated to the shape of {y}."
    says_back = "{to} was repeated, so it receives the sum of {z_bar} over all its copies."
    shape_only = (1,)
    view = True

    @classmethod
    def broadcast_lengths(op, shapes, z_shape):
        return [(shape, z_shape) for shape in shapes]

    def infer(x, like):
        if not is_compatible(broadcast_shapes(x.shape, like.shape), like.shape):
            raise ShapeError(f"{{x}} does not broadcast to {like.shape}",
                             "lengths must agree, or be 1 in the value that is repeated")
        return Spec(like.shape, x.dtype)

    def compute(x, like):
        return np.broadcast_to(x, np.shape(like))

    def transpose(z_bar, x, like):
        return z_bar


@takes_one
@strict
def broadcast_to(x: Operandlike, shape: ShapeLike) -> Operandlike:
    """Compute z = x, repeated to fill `shape`.

    >>> mg.broadcast_to([1.0, 2.0], (2, 2))
    array([[1., 2.],
           [1., 2.]])
    """
    return bind(BroadcastTo, x, shape=lengths_tuple(shape))


def broadcast_like(x: Operandlike, like: Operandlike) -> Operandlike:
    """z = x repeated to the shape of `like`."""
    if is_known(like.shape):
        return x if x.shape == like.shape else bind(BroadcastTo, x, shape=like.shape)
    return bind(BroadcastLike, x, like)


def fill_ones_like(x):
    """z = 1 in every place of x, of x's dtype."""
    return broadcast_like(np.ones((), x.dtype), x)


def fill_like(x: Operandlike, value: float, dtype: Any = None) -> Operandlike:
    """z = the number `value` in every place of x, in x's dtype or in `dtype`; no derivative."""
    number = np.asarray(value, spec_of(x).dtype if dtype is None else dtype)
    return bind(BroadcastLike, number, bind(ZerosLike, x))


# check -------------------------------------------------------------------------------------------


class EnsureShape(Linear):
    """z = x, which has the lengths of `shape` where these are known, and the shape of a `like`."""

    says = "{z} is {x}, whose shape was checked."
    says_back = "A check changes no number, so {to} receives {amount}."
    view = True

    def infer(x, *likes, shape):
        pairs = list(zip(x.shape, shape))
        if len(shape) != len(x.shape) or any(m != n and None not in (m, n) for m, n in pairs):
            lengths = ", ".join("?" if n is None else str(n) for n in shape)
            raise ShapeError(f"{{x}} does not have the shape [{lengths}]",
                             "reshape it, or give an array of that shape")
        told = likes and all(is_known(v.shape) for v in (x, *likes))
        if told and all(x.shape != like.shape for like in likes):
            raise ShapeError("each entry of one operand would meet every entry of the other",
                             "reshape one of them to the other's shape")
        return Spec(tuple(m if n is None else n for m, n in pairs), x.dtype)

    def compute(x, *likes, shape):
        EnsureShape.infer(*map(spec_of, (x, *likes)), shape=shape)
        return x[...]

    def transpose(z_bar, x, *likes, shape):
        return z_bar

    @classmethod
    def steps_between(op, shape, z_shape):
        return []


@takes_one
def ensure_shape(x: Operandlike, shape: Any) -> Operandlike:
    """Compute z = x, checked against `shape`, in which None stands for any length.

    Where a length is known only when it is fed, each run looks at it, and the graph knows it.
    Raises ShapeError for another shape.

    >>> mg.ensure_shape([1.0, 2.0], (None,))
    array([1., 2.])
    """
    lengths = tuple(shape) if np.iterable(shape) else (shape,)
    lengths = tuple(n if n is None else operator.index(n) for n in lengths)
    fits = hasattr(x, "shape") and is_compatible(x.shape, lengths)
    return read_now(x) if fits else bind(EnsureShape, x, shape=lengths)


# reshape -----------------------------------------------------------------------------------------


class Reshape(Linear):
    """z = x's entries in reading order, in another shape; one length may be -1."""

    says = "{z} has the numbers of {x} in the shape {shape}."
    says_back = "A reshape changes no number, so {to} receives {z_bar} in its own shape."
    view = True

    def infer(x, *, shape):
        return Spec(resolved_shape(x.shape, shape), x.dtype)

    def compute(x, *, shape):
        return np.reshape(as_contiguous(x), shape)

    def transpose(z_bar, x, *, shape):
        return reshape_like(z_bar, x)


class ReshapeLike(Linear):
    """z = x's entries in the shape of `like`, for lengths known only at run time."""

    says = "{z} has the numbers of {x} in the shape of {y}."
    says_back = "A reshape changes no number, so {to} receives {z_bar} in its own shape."
    shape_only = (1,)
    view = True

    def infer(x, like):
        return Spec(like.shape, x.dtype)

    def compute(x, like):
        return np.reshape(as_contiguous(x), np.shape(like))

    def transpose(z_bar, x, like):
        return reshape_like(z_bar, x)


@takes_one
@strict
def reshape(x: Operandlike, shape: ShapeLike) -> Operandlike:
    """Compute z = x's entries in row-major order, in another shape; one length may be -1.

    >>> mg.reshape([1.0, 2.0, 3.0, 4.0], (2, -1))
    array([[1., 2.],
           [3., 4.]])
    """
    return bind(Reshape, x, shape=shape_tuple(shape))


def reshape_like(x, like):
    """z = x's entries in the shape of `like`."""
    return reshape(x, like.shape) if is_known(like.shape) else bind(ReshapeLike, x, like)


def resolved_shape(old, new):
    """`new` with its -1 worked out; unknown when `old` has unknown lengths."""
    if new.count(-1) > 1 or any(n < -1 for n in new):
        raise ShapeError(f"{new} is not a shape", "give lengths of 0 or more, and at most one -1")
    rest = math.prod(n for n in new if n != -1)
    if not is_known(old):
        return tuple(None if n == -1 else n for n in new)
    size = math.prod(old)
    if -1 in new and rest and size % rest == 0:
        return tuple(size // rest if n == -1 else n for n in new)
    if -1 in new or rest != size:
        raise ShapeError(f"the {size} entries of {{x}} do not fill {new}",
                         "choose lengths whose product is the number of entries")
    return new


def shape_tuple(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of whole numbers."""
    several = isinstance(shape, (tuple, list)) or np.iterable(shape)
    lengths = tuple(shape) if several else (shape,)
    for n in lengths:
        if isinstance(n, (bool, np.bool_)) or not hasattr(n, "__index__"):
            raise ArgumentError(f"{shape!r} is not a shape, because {n!r} is not a whole number",
                                "give a tuple of whole numbers, such as (3, 2)")
    return tuple(map(operator.index, lengths))


def lengths_tuple(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of whole numbers of 0 or more."""
    lengths = shape_tuple(shape)
    if any(n < 0 for n in lengths):
        raise ArgumentError(f"{shape!r} is not a shape, because a length is negative",
                            "give lengths of 0 or more")
    return lengths


# permute -----------------------------------------------------------------------------------------


class Transpose(Linear):
    """z = x with its axes permuted: z's axis i is x's axis axes[i]."""

    says = "{z} is the transpose of {x}."
    says_back = "{z} is the transpose of {to}, so {to} receives the transpose of {z_bar}."
    view = True

    def infer(x, *, axes):
        return Spec(tuple(x.shape[a] for a in axes), x.dtype)

    def compute(x, *, axes):
        return x.transpose(axes)

    def transpose(z_bar, x, *, axes):
        return transpose(z_bar, tuple(int(a) for a in np.argsort(axes)))


class Flip(Linear):
    """z = x read backwards along `axis`."""

    says = "{z} is {x}, read backwards along {along}."
    says_back = "{z} is {to} read backwards, so {to} receives {z_bar} read backwards."
    view = True

    def infer(x, *, axis):
        return x

    def compute(x, *, axis):
        return np.flip(x, axis)

    def transpose(z_bar, x, *, axis):
        return flip(z_bar, axis)


@takes_one
@strict
def transpose(x: Operandlike, axes: Axes = None) -> Operandlike:
    """Compute z = x with its axes permuted, reversed by default.

    >>> mg.transpose([[1.0, 2.0], [3.0, 4.0]])
    array([[1., 3.],
           [2., 4.]])
    """
    rank = rank_of(x)
    if axes is None:
        axes = range(rank)[::-1]
    if len(normalize_axes(axes, rank)) != rank:
        raise ArgumentError(f"axes {axes} do not name all {rank} dimensions",
                            "name each dimension once")
    return bind(Transpose, x, axes=tuple(int(a) % rank for a in axes))


def swap_last(x):
    """z = x with its last two axes swapped."""
    rank = len(x.shape)
    if rank == 2:
        return x.T
    return bind(Transpose, x, axes=(*range(rank - 2), rank - 1, rank - 2))


@takes_one
@strict
def flip(x: Operandlike, axis: Axes = None) -> Operandlike:
    """Compute z = x reversed along `axis` (all axes by default).

    >>> mg.flip([1.0, 2.0, 3.0])
    array([3., 2., 1.])
    """
    return bind(Flip, x, axis=normalize_axes(axis, rank_of(x)))


# add and remove axes of length 1 -----------------------------------------------------------------


class ExpandDims(Linear):
    """z = x with new axes of length 1 at the places `axis` of z."""

    says = "{z} is {x} with a new axis of length 1."
    says_back = "The numbers stay the same, so {to} receives {z_bar} without the new axis."
    view = True

    def infer(x, *, axis):
        lengths = iter(x.shape)
        rank = len(x.shape) + len(axis)
        return Spec(tuple(1 if i in axis else next(lengths) for i in range(rank)), x.dtype)

    def compute(x, *, axis):
        shape = list(np.shape(x))
        for a in axis:
            shape.insert(a, 1)
        return x.reshape(shape)

    def transpose(z_bar, x, *, axis):
        return bind(Squeeze, z_bar, axis=axis)


class Squeeze(Linear):
    """z = x without its axes `axis`, which have length 1."""

    says = "{z} is {x} without its axes of length 1."
    says_back = "The numbers stay the same, so {to} receives {z_bar} with those axes again."
    view = True

    def infer(x, *, axis):
        if any(x.shape[a] != 1 for a in axis):
            raise ShapeError(f"{{x}} of shape {x.shape} has more than one entry along {axis}",
                             "squeeze only axes of length 1")
        return Spec(tuple(n for i, n in enumerate(x.shape) if i not in axis), x.dtype)

    def compute(x, *, axis):
        return x.squeeze(axis)

    def transpose(z_bar, x, *, axis):
        return bind(ExpandDims, z_bar, axis=axis)


@takes_one
@strict
def expand_dims(x: Operandlike, axis: int | Sequence[int]) -> Operandlike:
    """Compute z = x with new axes of length 1 at the positions `axis` of z.

    >>> mg.expand_dims([1.0, 2.0], 0)
    array([[1., 2.]])
    """
    added = 1 if isinstance(axis, (int, np.integer)) else len(axis)
    return bind(ExpandDims, x, axis=normalize_axes(axis, rank_of(x) + added))


@takes_one
@strict
def squeeze(x: Operandlike, axis: Axes = None) -> Operandlike:
    """Compute z = x without its axes of length 1, or without the named ones.

    >>> mg.squeeze([[1.0, 2.0]])
    array([1., 2.])
    """
    shape = np.shape(x)
    if axis is None:
        if not is_known(shape):
            raise ShapeError(f"squeeze of {shape}: an unknown length may or may not be 1",
                             "name the axes: squeeze(x, axis)")
        axis = tuple(i for i, n in enumerate(shape) if n == 1)
    return bind(Squeeze, x, axis=normalize_axes(axis, len(shape)))
