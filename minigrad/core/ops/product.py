"""Products of many entries, whose derivatives are products of the others; running sums."""

import math

import numpy as np

from minigrad.core.errors import ShapeError
from minigrad.core.op import Linear, Op, Operandlike, bind
from minigrad.core.ops.options import strict
from minigrad.core.ops.precision import rounded_once
from minigrad.core.ops.reduce import expand_reduced, sum
from minigrad.core.ops.shape import expand_dims, flip, is_known, reshape, reshape_like, transpose
from minigrad.core.signatures import takes_one
from minigrad.core.spec import Spec, rank_of
from minigrad.core.ops.axes import normalize_axis, reduce_into, reduced_shape, reduction

# products ----------------------------------------------------------------------------------------


class Prod(Op):
    """Compute z = Π x over `axis`.   ∂z/∂x_j = Π of the others, so entries of 0 are no exception.

    >>> mg.prod([[1.0, 2.0], [3.0, 4.0]], axis=1)
    array([ 2., 12.])
    """

    says = "{z} is the product of {x} over {over}."
    says_back = "Each number of {to} receives {z_bar} times the product of the other numbers."
    onnx = "ReduceProd"

    def infer(x, *, axis, keepdims):
        dtype = np.multiply.reduce(np.ones(1, x.dtype)).dtype
        return Spec(reduced_shape(x.shape, axis, keepdims), dtype)

    @rounded_once
    def compute(x, *, axis, keepdims, out=None):
        return reduce_into(out, np.multiply, x, axis, keepdims)

    jvp = (lambda x, z, x_dot, *, axis, keepdims:
           sum(multiply_others(x, axis) * x_dot, axis, keepdims),)
    vjp = (lambda x, z, z_bar, *, axis, keepdims:
           multiply_others(x, axis) * expand_reduced(z_bar, axis, keepdims),)
    reads = ("x",)


class LeaveOut(Op):
    """z[…,i,…,k] = Π x[…,j] over all j but i, …, k, which are `count`; 0 where two of them agree.

    The derivative leaves out one more: ∂z[…,i]/∂x[…,k] is z[…,i,k].
    """

    says = "Each entry of {z} is the product of the other entries of {x}."
    says_back = "Each number of {to} receives {z_bar} times the products of the other numbers."

    def infer(x, *, count):
        return Spec((*x.shape[:-1], *x.shape[-1:] * count), x.dtype)

    @rounded_once
    def compute(x, *, count):
        if count == 1:
            return products_of_others(x)
        same = np.eye(x.shape[-1], dtype=bool)
        z = LeaveOut.compute(np.where(same, x.dtype.type(1), x[..., None, :]), count=count - 1)
        z[..., same_as_first(x.shape[-1], count)] = 0
        return z

    jvp = (lambda x, z, x_dot, *, count:
           sum(bind(LeaveOut, x, count=count + 1)
               * expand_dims(x_dot, tuple(range(-1 - count, -1))), -1),)
    vjp = (lambda x, z, z_bar, *, count:
           sum(bind(LeaveOut, x, count=count + 1) * expand_dims(z_bar, -1),
               tuple(range(-1 - count, -1))),)
    reads = ("x",)


def products_of_others(x):
    """z[…,i] = Π x[…,j] over j ≠ i: what stands before i times what stands after it."""
    before, after = np.ones_like(x), np.ones_like(x)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        before[..., 1:] = np.cumprod(x[..., :-1], -1, dtype=x.dtype)
        after[..., -2::-1] = np.cumprod(x[..., :0:-1], -1, dtype=x.dtype)
        z = before * after
    return z if all(map(is_normal, (before, after, z))) else scaled_products(x)


def is_normal(x):
    """True where all digits of numbers are there: none is infinite, NaN, 0 or smaller than tiny.

    One that left the range on its way may come back as NaN, for inf · 0, or with digits lost.
    """
    if not isinstance(x, np.ndarray):  # of another library, whose numbers are not there yet
        return True
    size = np.abs(x)
    return bool(np.all((size >= np.finfo(x.dtype).tiny) & (size < np.inf)))


def scaled_products(x):
    """products_of_others(x), with each product as a number in [½, 1) and a power of two."""
    before, after = products_before(x), products_before(x[..., ::-1])
    numbers, powers = [(a, b[..., ::-1]) for a, b in zip(before, after)]
    return np.ldexp(numbers[0] * numbers[1], powers[0] + powers[1])


def products_before(x):
    """(numbers, powers of two): their products are Π x[…,j] over j < i.

    After k steps each entry holds the product of the 2ᵏ before it.
    """
    numbers, powers = np.frexp(np.concatenate([np.ones_like(x[..., :1]), x[..., :-1]], -1))
    step = 1
    while step < x.shape[-1]:
        joined, carried = np.frexp(numbers[..., step:] * numbers[..., :-step])
        carried = carried + powers[..., step:] + powers[..., :-step]
        numbers = np.concatenate([numbers[..., :step], joined], -1)
        powers = np.concatenate([powers[..., :step], carried], -1)
        step *= 2
    return numbers, powers


def same_as_first(length, count):
    """A mask of [length] * count: true where one of the other indices equals the first."""
    places = np.indices((length,) * count)
    return (places[1:] == places[0]).any(0)


def multiply_others(x, axis):
    """For each entry of x the product of the others over `axis`, by one op along the last axis."""
    rank = len(x.shape)
    order = [a for a in range(rank) if a not in axis] + list(axis)
    moved, back = transpose(x, order), [order.index(a) for a in range(rank)]
    if len(axis) == 1:
        return transpose(bind(LeaveOut, moved, count=1), back)
    flat = reshape(moved, joined_shape(moved.shape, rank - len(axis)))
    return transpose(reshape_like(bind(LeaveOut, flat, count=1), moved), back)


def joined_shape(shape, kept):
    """`shape` with the axes from `kept` on as one; -1 stands for a length that is not known."""
    rest = shape[kept:]
    joined = (*shape[:kept], math.prod(rest) if is_known(rest) else None)
    if joined.count(None) > 1:
        raise ShapeError("the derivative of a product over several axes needs more known "
                         f"lengths than {shape}",
                         "declare every length of the placeholder except one")
    return tuple(-1 if n is None else n for n in joined)


prod = reduction(Prod)


# running sums ------------------------------------------------------------------------------------


class CumSum(Linear):
    """z[…,i] = Σ x[…,j] over j ≤ i along `axis`."""

    says = "Each entry of {z} is the sum of {x} up to its place along {along}."
    says_back = ("Each number of {to} is in all later sums, so it receives the sum of {z_bar} "
                 "from there on.")

    def infer(x, *, axis):
        return Spec(x.shape, np.cumsum(np.zeros(1, x.dtype)).dtype)

    @rounded_once
    def compute(x, *, axis, out=None):
        return np.cumsum(x, axis, out=out)

    def transpose(z_bar, x, *, axis):
        return flip(bind(CumSum, flip(z_bar, axis), axis=axis), axis)


@takes_one
@strict
def cumsum(x: Operandlike, axis: int | None = None) -> Operandlike:
    """Compute z[…,i] = Σ x[…,j] over j ≤ i along `axis`; without an axis, of all entries in a row.

    >>> mg.cumsum([1.0, 2.0, 3.0])
    array([1., 3., 6.])
    """
    if axis is None:
        return cumsum(reshape(x, (-1,)), 0)
    return bind(CumSum, x, axis=normalize_axis(axis, rank_of(x)))
