"""Ops that take many entries to one: sums, means, extremes."""

import math
from typing import Any

import numpy as np

from minigrad.core.errors import ShapeError
from minigrad.core.modes import composite
from minigrad.core.op import Discrete, Linear, Op, Operandlike, bind
from minigrad.core.ops.elementwise import Choice, Keep, Step, cast, exp, sqrt
from minigrad.core.ops.options import strict
from minigrad.core.ops.precision import narrow, rounded_once, widen, working_dtype
from minigrad.core.ops.shape import BroadcastTo, ExpandDims, broadcast_like, is_known, reshape
from minigrad.core.signatures import Axes, takes_one
from minigrad.core.spec import Shape, Spec, as_floats, broadcast_shapes, is_float, rank_of
from minigrad.core.ops.axes import (
    normalize_axes, normalize_axis, reduce_into, reduced_shape, reduction,
)  # fmt: skip


def expand_reduced(z, axis, keepdims):
    """z with the reduced axes back, as length 1, so that it broadcasts against x."""
    return z if keepdims or not axis else bind(ExpandDims, z, axis=axis)


# sum and mean ------------------------------------------------------------------------------------


class Sum(Linear):
    """Compute z = Σ x over `axis`.

    >>> mg.sum([[1.0, 2.0], [3.0, 4.0]], axis=0)
    array([4., 6.])
    """

    says = "{z} is the sum of {x} over {over}."
    says_back = "Every number of {to} counts once in the sum, so each of them receives {z_bar}."
    onnx = "ReduceSum"
    infallible = True

    def infer(x, *, axis, keepdims):
        dtype = np.add.reduce(np.zeros(1, x.dtype)).dtype
        return Spec(reduced_shape(x.shape, axis, keepdims), dtype)

    @rounded_once
    def compute(x, *, axis, keepdims, out=None):
        return reduce_into(out, np.add, x, axis, keepdims)

    def transpose(z_bar, x, *, axis, keepdims):
        return broadcast_like(expand_reduced(z_bar, axis, keepdims), x)


class Count(Discrete):
    """z = how many entries of x a sum over `axis` adds, in the dtype that it adds in."""

    says = "{z} counts the numbers of {x} over {over}."

    def infer(x, *, axis):
        return Spec((), working_dtype(x.dtype))

    def compute(x, *, axis):
        return np.asarray(math.prod(np.shape(x)[a] for a in axis), working_dtype(x.dtype))


class Mean(Linear):
    """Compute z = (1/n) Σ x over the n entries of `axis`.

    >>> mg.mean([[1.0, 2.0], [3.0, 4.0]], axis=0)
    array([2., 3.])
    """

    says = "{z} is the mean of {x} over {over}."
    says_back = ("A mean divides by its number of entries, so each of them receives {z_bar} "
                 "divided by it.")
    onnx = "ReduceMean"

    def infer(x, *, axis, keepdims):
        dtype = x.dtype if is_float(x.dtype) else np.dtype(float)
        return Spec(reduced_shape(x.shape, axis, keepdims), dtype)

    @rounded_once
    def compute(x, *, axis, keepdims, out=None):
        count = math.prod(x.shape[a] for a in axis)
        if not count:
            raise ShapeError("{x} has no entries to average", "check for empty data")
        total = reduce_into(out, np.add, as_floats(x), axis, keepdims)  # int64 could overflow
        return np.divide(total, count, out=out)

    def transpose(z_bar, x, *, axis, keepdims):
        return broadcast_like(over_count(expand_reduced(z_bar, axis, keepdims), x, axis), x)


def count(x, axis):
    """How many entries of x lie along `axis`: a number, or a Node while that is unknown."""
    lengths = [x.shape[a] for a in axis]
    return math.prod(lengths) if is_known(lengths) else bind(Count, x, axis=axis)


def over_count(v, x, axis):
    """v / n for the n entries of x along `axis`, in v's dtype."""
    return cast(widen(v) / count(x, axis), v.dtype)


sum = reduction(Sum)
mean = reduction(Mean)


class Bessel(Discrete):
    """z = n / (n - ddof) for the n entries of x over `axis`, in x's dtype."""

    says = "{z} is n / (n − {ddof}) for the n numbers of {x} over {over}."

    def infer(x, *, axis, ddof):
        return Spec((), x.dtype)

    def compute(x, *, axis, ddof):
        return np.asarray(correct_bias(math.prod(np.shape(x)[a] for a in axis), ddof), x.dtype)


def correct_bias(n, ddof):
    """n / (n - ddof), which takes a variance divided by n to one divided by n - ddof."""
    if n <= ddof:
        raise ShapeError(f"a variance divides by n - {ddof}, and n is only {n}",
                         f"pass more than {ddof} entries; train BatchNorm with larger batches")
    return n / (n - ddof)


@takes_one
@strict
@composite
def var(x: Operandlike, axis: Axes = None, keepdims: bool = False, ddof: int = 0) -> Operandlike:
    """Compute z = Σ (x - mean of x)² / (n - ddof) over the n entries of `axis`: the variance.

    ddof=1 makes it unbiased for a sample. Raises ShapeError unless n is above ddof.

    >>> mg.var([[1.0, 3.0]], axis=1)
    array([1.])
    """
    return narrow(variance(widen(x), axis, keepdims, ddof), x)


def variance(x, axis, keepdims, ddof):
    """The variance in the dtype that x is added up in."""
    centred = x - mean(x, axis, keepdims=True)
    z = mean(centred * centred, axis, keepdims)
    if not ddof:
        return z
    axis = normalize_axes(axis, rank_of(x))
    lengths = [centred.shape[a] for a in axis]
    return z * (correct_bias(math.prod(lengths), ddof) if is_known(lengths)
                else bind(Bessel, centred, axis=axis, ddof=ddof))


@takes_one
@strict
@composite
def std(x: Operandlike, axis: Axes = None, keepdims: bool = False, ddof: int = 0) -> Operandlike:
    """Compute z = √var(x), the standard deviation, with the divisor n - ddof; derivative 0 at 0.

    >>> mg.std([[1.0, 3.0]], axis=1)
    array([1.])
    """
    z = variance(widen(x), axis, keepdims, ddof)
    lengths = {np.shape(x)[a] for a in normalize_axes(axis, rank_of(x))}
    return narrow(sqrt(z) if lengths - {1} else z, x)  # of one entry it is 0 however that moves


def sum_to(x: Operandlike, shape: Shape) -> Operandlike:
    """x summed down to `shape`, which broadcasts to x's: the transpose of broadcasting."""
    for params in repeated_axes(x.shape, shape):
        x = bind(Sum, x, **params)
    return x


def repeated_axes(shape: Shape, short: Shape) -> list[dict[str, Any]]:
    """The params of the Sums that take `shape` down to `short`, which broadcasts to it."""
    extra = len(shape) - len(short)
    paired = [(a, a - extra) for a in range(len(shape)) if a >= extra]
    stretched = tuple([a for a, i in paired if short[i] == 1 != shape[a]])
    sums = [{"axis": stretched, "keepdims": True}] if stretched else []
    return sums + ([{"axis": tuple(range(extra)), "keepdims": False}] if extra > 0 else [])


class SumLike(Linear):
    """z = x in the shape of `like`, for lengths known only at run time: summed where `like` has 1,
    repeated where x has 1, as a letter that one operand of einsum repeats for the other."""

    says = "{z} is {x}, summed or repeated to the shape of {y}."
    says_back = "{to} receives {z_bar}, repeated or summed to its own shape."
    shape_only = (1,)
    view = True

    def infer(x, like):
        pairs = zip(x.shape[::-1], like.shape[::-1])
        if any(m != n and not {m, n} & {1, None} for m, n in pairs):
            raise ShapeError(f"{{x}} does not sum to {like.shape}",
                             "pass an array of that shape, or longer where that shape has 1")
        return Spec(like.shape, x.dtype)

    def compute(x, like):
        for params in repeated_axes(np.shape(x), np.shape(like)):
            x = Sum.compute(x, **params)
        return x if np.shape(x) == np.shape(like) else np.broadcast_to(x, np.shape(like))

    def transpose(z_bar, x, like):
        return bind(SumLike, z_bar, x)

    @classmethod
    def steps_between(op, shape, z_shape):
        steps = [(Sum, params) for params in repeated_axes(shape, z_shape)]
        summed = tuple(n if m != 1 else 1 for n, m in zip(shape[::-1], z_shape[::-1]))[::-1]
        return steps + ([] if summed == z_shape else [(BroadcastTo, {"shape": z_shape})])


# extremes: entries that tie share the derivative equally -----------------------------------------


class Tied(Step):
    """z = (x is the extreme y); an entry that is not a number ties with its like."""

    says = "{z} says which numbers of {x} equal the extreme one, {y}."
    formula = "({0} == {1} or {0} != {0})"

    def compute(x, y):
        return (x == y) | (x != x)


class KeepTied(Choice):
    """z = y where the condition x is true, else 0: a share for each entry of w that ties.

    That the shares are equal is a convention, so a second derivative in whose directions entries
    that tie over `axis`, counted from the end, move apart is NaN.
    """

    says = "{z} is {y} where {x} is true, and 0 elsewhere."
    says_back = ("",
                 "Where {x} is true, {to} receives {z_bar}. Elsewhere the contribution is 0.",
                 "Where ties move apart there is no derivative, so {to} receives NaN there.")
    formula = "({1} if {0} else {type}(0))"

    def compute(x, y, w, *, axis, out=None):
        return Keep.compute(x, y, when=True, out=out)

    masks = (None,
              lambda x, y, w, z, v, *, axis: bind(KeepTied, x, v, w, axis=axis),
              lambda x, y, w, z, v, *, axis: bind(TiesApart, x, y, v, axis=axis))
    reads = ("", "xw", "xy")


class TiesApart(Op):
    """z = NaN where x is true and entries of y, or of v, that tie over `axis` differ, else 0.

    Axes are counted from the end.
    """

    says = "{z} is NaN where tied numbers of {y} move apart, and 0 elsewhere."
    says_back = "Where ties move apart there is no derivative, so {to} receives NaN there."

    def infer(x, y, v, *, axis):
        return Spec(broadcast_shapes(x.shape, v.shape), v.dtype)

    def compute(x, y, v, *, axis):
        apart = TiesApart.differ(x, y, axis) | TiesApart.differ(x, v, axis)
        return np.where(x & apart, np.nan, 0).astype(v.dtype)

    def differ(x, y, axis):
        """True where not all entries of y that tie are equal."""
        high = np.maximum.reduce(np.where(x, y, -np.inf), axis, keepdims=True)
        return high != np.minimum.reduce(np.where(x, y, np.inf), axis, keepdims=True)

    jvp = vjp = (None, None,
                 lambda x, y, v, z, w, *, axis: bind(TiesApart, x, y, w, axis=axis))


def find_ties(x, z, axis, keepdims):
    """(where x is the extreme z, how many entries are)."""
    ties = bind(Tied, x, expand_reduced(z, axis, keepdims))
    return ties, sum(cast(ties, working_dtype(x.dtype)), axis, keepdims=True)


def keep_tied(ties, y, x, axis):
    """y where the entries of x tie over `axis`, else 0."""
    return bind(KeepTied, ties, y, x, axis=tuple(a - len(x.shape) for a in axis))


def extreme_jvp(x, z, x_dot, *, axis, keepdims):
    """The mean of the tangents of the entries that tie."""
    ties, count = find_ties(x, z, axis, keepdims)
    return sum(keep_tied(ties, x_dot, x, axis) / count, axis, keepdims)


def extreme_vjp(x, z, z_bar, *, axis, keepdims):
    """Each entry that ties gets an equal share of the cotangent."""
    ties, count = find_ties(x, z, axis, keepdims)
    share = cast(expand_reduced(z_bar, axis, keepdims) / count, z_bar.dtype)
    return keep_tied(ties, share, x, axis)


class Extreme(Op):
    """The shape rule and the derivative of max and min."""

    jvp = (extreme_jvp,)
    vjp = (extreme_vjp,)
    reads = ("xz",)

    def infer(x, *, axis, keepdims):
        if 0 in [x.shape[a] for a in axis]:
            raise ShapeError("{x} has no entries to choose from", "check for empty data")
        return Spec(reduced_shape(x.shape, axis, keepdims), x.dtype)


class Max(Extreme):
    """Compute z = the largest entry of x over `axis`; ties receive equal parts of the derivative.

    >>> mg.max([[1.0, 5.0], [4.0, 2.0]], axis=1)
    array([5., 4.])
    """

    says = "{z} is the largest number of {x} over {over}."
    says_back = "Only the largest number moves {z}, so it receives {z_bar}. The others receive 0."
    onnx = "ReduceMax"
    infallible = True

    def compute(x, *, axis, keepdims, out=None):
        return reduce_into(out, np.maximum, x, axis, keepdims)


class Min(Extreme):
    """Compute z = the smallest entry of x over `axis`; ties receive equal parts of the derivative.

    >>> mg.min([[1.0, 5.0], [4.0, 2.0]], axis=1)
    array([1., 2.])
    """

    says = "{z} is the smallest number of {x} over {over}."
    says_back = "Only the smallest number moves {z}, so it receives {z_bar}. The others receive 0."
    onnx = "ReduceMin"
    infallible = True

    def compute(x, *, axis, keepdims, out=None):
        return reduce_into(out, np.minimum, x, axis, keepdims)


max = reduction(Max)
min = reduction(Min)


class ArgExtreme(Discrete):
    """The shape rule of argmax and argmin."""

    def infer(x, *, axis):
        spec = Extreme.infer(x, axis=(axis,), keepdims=False)
        return Spec(spec.shape, np.dtype(np.intp))


class ArgMax(ArgExtreme):
    """z = the index of the largest entry of x along `axis`."""

    says = "{z} is the place of the largest number of {x} along {along}."

    def compute(x, *, axis):
        return np.argmax(x, axis)


class ArgMin(ArgExtreme):
    """z = the index of the smallest entry of x along `axis`."""

    says = "{z} is the place of the smallest number of {x} along {along}."

    def compute(x, *, axis):
        return np.argmin(x, axis)


@takes_one
@strict
def argmax(x: Operandlike, axis: int | None = -1) -> Operandlike:
    """Compute z = the index of the largest entry of x along `axis`; no derivative.

    With axis=None, the index among all entries in a row.

    >>> mg.argmax([[1.0, 5.0], [4.0, 2.0]], axis=1)
    array([1, 0])
    """
    if axis is None:
        return argmax(reshape(x, (-1,)), 0)
    return bind(ArgMax, x, axis=normalize_axis(axis, rank_of(x)))


@takes_one
@strict
def argmin(x: Operandlike, axis: int | None = -1) -> Operandlike:
    """Compute z = the index of the smallest entry of x along `axis`; no derivative.

    With axis=None, the index among all entries in a row.

    >>> mg.argmin([[1.0, 5.0], [4.0, 2.0]], axis=1)
    array([0, 1])
    """
    if axis is None:
        return argmin(reshape(x, (-1,)), 0)
    return bind(ArgMin, x, axis=normalize_axis(axis, rank_of(x)))


# log-sum-exp -------------------------------------------------------------------------------------


class LogSumExp(Op):
    """z = ln Σ exp(x) over `axis`, without overflow.   ∂z/∂x = exp(x - z)."""

    says = "{z} is the logarithm of the sum of e^{x} over {over}."
    says_back = "Each e^{to} is a part of that sum, so {to} receives {z_bar} times the parts."
    onnx = "ReduceLogSumExp"

    def infer(x, *, axis, keepdims):
        spec = Extreme.infer(x, axis=axis, keepdims=keepdims)
        return Spec(spec.shape, x.dtype if is_float(x.dtype) else np.dtype(float))

    @rounded_once
    def compute(x, *, axis, keepdims):
        _, total, top = LogSumExp.shift(x, axis)
        return total + top if keepdims else np.squeeze(total + top, axis)

    def shift(x, axis):
        """x less its maximum, ln Σ exp of that, and the maximum."""
        x = as_floats(x)
        top = np.maximum.reduce(x, axis, keepdims=True)
        x = np.subtract(x, top := np.where(np.isfinite(top), top, 0).astype(x.dtype), order="C")
        with np.errstate(divide="ignore"):  # ln 0 = -inf is the right answer for all -inf
            return x, np.log(np.add.reduce(np.exp(x), axis, keepdims=True)), top

    def weights(x, z, axis, keepdims):
        """exp(x - z), the derivative."""
        return exp(widen(x) - widen(expand_reduced(z, axis, keepdims)))

    jvp = (lambda x, z, x_dot, *, axis, keepdims:
           sum(LogSumExp.weights(x, z, axis, keepdims) * x_dot, axis, keepdims),)
    vjp = (lambda x, z, z_bar, *, axis, keepdims:
           LogSumExp.weights(x, z, axis, keepdims) * expand_reduced(z_bar, axis, keepdims),)
    reads = ("xz",)


@takes_one
@strict
def logsumexp(x: Operandlike, axis: Axes = None, keepdims: bool = False) -> Operandlike:
    """Compute z = ln Σ exp(x) over `axis`, without overflow.

    >>> mg.logsumexp(mg.tensor([1000.0, 1000.0]))
    tensor(1000.69314718)
    """
    return bind(LogSumExp, x, axis=normalize_axes(axis, rank_of(x)), keepdims=bool(keepdims))
