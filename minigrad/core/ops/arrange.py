"""Ops that give entries other places: repeat, roll, sort; rows and columns, side by side."""

import operator
from collections.abc import Iterable, Sequence

import numpy as np

from minigrad.core.errors import ArgumentError, DtypeError, ShapeError
from minigrad.core.op import Discrete, Linear, Operandlike, bind, read_now
from minigrad.core.ops.elementwise import as_entries, mul
from minigrad.core.ops.index import concatenate, getitem, list_values
from minigrad.core.ops.options import strict
from minigrad.core.ops.precision import rounded_once
from minigrad.core.ops.shape import expand_dims, is_known, reshape, reshape_like
from minigrad.core.signatures import Axes, takes_list, takes_one, takes_two
from minigrad.core.spec import Spec, as_array, as_contiguous, broadcast_shapes, rank_of, spec_of
from minigrad.core.ops.axes import normalize_axis


def as_operand(x):
    """x; a number or a list as an array."""
    return x if hasattr(x, "shape") else as_array(x)


def along_one(x, axis):
    """(x, axis) with the axis as a number from 0 on; without an axis, x's entries in a row."""
    x = as_operand(x)
    return (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, rank_of(x)))


def whole_numbers(what, numbers, least=None):
    """A whole number, or several, as a tuple. Raises ArgumentError for anything else."""
    try:
        found = tuple(map(operator.index, np.ravel(as_array(numbers)).tolist()))
    except TypeError:
        found = None
    if found is None or least is not None and any(n < least for n in found):
        wish = "" if least is None else f" of {least} or more"
        raise ArgumentError(f"{what}={numbers!r}", f"give whole numbers{wish}")
    return found


# repeat ------------------------------------------------------------------------------------------


def repeat_along(x, count, axis):
    """z = x with a new axis of length `count`, along which it repeats."""
    ones = np.ones((count,) + (1,) * (rank_of(x) - axis), x.dtype)  # any length may be unknown
    return mul(expand_dims(x, axis), ones)


class MergeAxes(Linear):
    """z = x with the axes `axis` and the next one as one, for lengths known only at run time."""

    says = "{z} has the numbers of {x}, with two of its axes merged into one."
    says_back = "A reshape changes no number, so {to} receives {z_bar} in its own shape."
    view = True

    def infer(x, *, axis):
        pair = x.shape[axis:axis + 2]
        merged = pair[0] * pair[1] if is_known(pair) else None
        return Spec((*x.shape[:axis], merged, *x.shape[axis + 2:]), x.dtype)

    def compute(x, *, axis):
        lengths = np.shape(x)
        merged = lengths[axis] * lengths[axis + 1]
        return np.reshape(as_contiguous(x), (*lengths[:axis], merged, *lengths[axis + 2:]))

    def transpose(z_bar, x, *, axis):
        return reshape_like(z_bar, x)


def merge_axes(x, axis):
    """z = x with the axes `axis` and the next one as one."""
    shape = MergeAxes.infer(spec_of(x), axis=axis).shape
    return reshape(x, shape) if is_known(shape) else bind(MergeAxes, x, axis=axis)


@takes_one
@strict
def repeat(x: Operandlike, repeats: int | Sequence[int], axis: int | None = None) -> Operandlike:
    """Compute z = x with each entry repeated `repeats` times, along `axis`, or over all entries.

    `repeats` may hold a number for each place along the axis. As in NumPy; PyTorch's
    repeat_interleave. Its repeat is `tile`.

    >>> mg.repeat([1.0, 2.0], 2)
    array([1., 1., 2., 2.])
    """
    x, axis = along_one(x, axis)
    counts = whole_numbers("repeats", repeats, 0)
    if len(counts) == 1:
        return merge_axes(repeat_along(x, counts[0], axis + 1), axis)
    if len(counts) != x.shape[axis]:
        raise ShapeError(f"{len(counts)} repeats do not fit axis {axis} of shape {x.shape}",
                         "give one number, or one for each entry along an axis of known length")
    return take(x, np.repeat(np.arange(len(counts)), counts), axis)


@takes_one
@strict
def tile(x: Operandlike, reps: int | Sequence[int]) -> Operandlike:
    """Compute z = x repeated reps[i] times along axis i, counted from the last axis.

    >>> mg.tile([1.0, 2.0], 2)
    array([1., 2., 1., 2.])
    """
    x, counts = as_operand(x), whole_numbers("reps", reps, 0)
    missing = len(counts) - rank_of(x)
    if missing > 0:
        x = expand_dims(x, tuple(range(missing)))
    for axis, count in enumerate((1,) * -missing + counts):
        if count != 1:
            x = merge_axes(repeat_along(x, count, axis), axis)
    return read_now(x)


# roll --------------------------------------------------------------------------------------------


class Roll(Linear):
    """z[i + shift] = x[i] along each `axis`: what leaves at the end enters in front."""

    says = "{z} is {x}, rolled along {along}."
    says_back = "{z} is {to}, rolled, so {to} receives {z_bar} rolled back."
    layout_invariant = True

    def infer(x, *, shift, axis):
        return x

    def compute(x, *, shift, axis):
        return np.roll(x, shift, axis)

    def transpose(z_bar, x, *, shift, axis):
        return bind(Roll, z_bar, shift=tuple(-n for n in shift), axis=axis)


@takes_one
@strict
def roll(x: Operandlike, shift: int | Sequence[int], axis: Axes = None) -> Operandlike:
    """Compute z[i + shift] = x[i] along `axis`; entries that leave at the end enter at the front.

    Without an axis all entries are in a row, and the shape stays. Several axes have a shift each.

    >>> mg.roll([1.0, 2.0, 3.0], 1)
    array([3., 1., 2.])
    """
    x = as_operand(x)
    if axis is None:
        return reshape_like(roll(reshape(x, -1), shift, 0), x)
    axes = axis if np.iterable(axis) else (axis,)
    places, shifts = [normalize_axis(a, rank_of(x)) for a in axes], whole_numbers("shift", shift)
    if len(shifts) not in (1, len(places)):
        raise ArgumentError(f"shift={shift!r} for axis={axis!r}", "give one shift for each axis")
    total = dict.fromkeys(sorted(places), 0)
    for place, n in zip(places, shifts * len(places)):
        total[place] += n
    return bind(Roll, x, shift=tuple(total.values()), axis=tuple(total))


# sort and take -----------------------------------------------------------------------------------


class TakeAlongAxis(Linear):
    """z[…,i,…] = x[…,y[…,i,…],…] along `axis`: the entries of x at the places y."""

    says = "{z} takes the numbers of {x} at the places {y}."
    says_back = ("Each number of {to} receives {z_bar} from where it was taken to. The others "
                 "receive 0.")

    def infer(x, y, *, axis):
        if y.dtype.kind not in "iu":
            raise DtypeError("{y} must be whole numbers", "pass indices, such as argsort returns")
        if len(x.shape) != len(y.shape):
            raise ShapeError("{x} and {y} must have equally many axes", "add axes: y[:, None]")
        others = [(*s.shape[:axis], 1, *s.shape[axis + 1:]) for s in (x, y)]
        shape = broadcast_shapes(*others)
        return Spec((*shape[:axis], y.shape[axis], *shape[axis + 1:]), x.dtype)

    def compute(x, y, *, axis):
        return np.take_along_axis(as_entries(x), as_entries(y), axis)

    def transpose(z_bar, x, y, *, axis):
        return bind(AddAlongAxis, z_bar, x, y, axis=axis)

    reads = ("y",)


class AddAlongAxis(Linear):
    """z = zeros like `like` with x added along `axis` at the places `w`: equal places add up."""

    says = "{z} adds {x} to zeros at the places {w}."
    says_back = "{to} was added at the places {w}, so it receives {z_bar} from there."
    shape_only = (1,)

    def infer(x, like, w, *, axis):
        return Spec(like.shape, x.dtype)

    @rounded_once
    def compute(x, like, w, *, axis):
        z = np.zeros(np.shape(like), x.dtype, like=as_entries(x))
        places = list(np.ogrid[tuple(slice(n) for n in np.shape(like))])
        places[axis] = w
        np.add.at(z, tuple(places), x)
        return z

    def transpose(z_bar, x, like, w, *, axis):
        return bind(TakeAlongAxis, z_bar, w, axis=axis)

    reads = ("w",)


class ArgSort(Discrete):
    """z = the places of x's entries along `axis`, from the smallest to the largest entry."""

    says = "{z} has the places of the numbers of {x}, from the smallest to the largest."

    def infer(x, *, axis):
        return Spec(x.shape, np.dtype(np.intp))

    def compute(x, *, axis):
        return np.argsort(x, axis, kind="stable")


@takes_two
@strict
def take_along_axis(x: Operandlike, indices: Operandlike, axis: int = -1) -> Operandlike:
    """Compute z[…,i,…] = x[…,indices[…,i,…],…] along `axis`; PyTorch's gather.

    >>> mg.take_along_axis([[10.0, 20.0]], [[1]], axis=1)
    array([[20.]])
    """
    return bind(TakeAlongAxis, x, indices, axis=normalize_axis(axis, rank_of(x)))


@takes_one
@strict
def argsort(x: Operandlike, axis: int | None = -1) -> Operandlike:
    """Compute z = the indices that sort x along `axis` in ascending order; no derivative.

    Equal entries keep their order. With axis=None, of all entries in a row.

    >>> mg.argsort([3.0, 1.0, 2.0])
    array([1, 2, 0])
    """
    x, axis = along_one(x, axis)
    return bind(ArgSort, x, axis=axis)


@takes_one
@strict
def sort(x: Operandlike, axis: int | None = -1) -> Operandlike:
    """Compute z = x in ascending order along `axis`; with axis=None, all entries in a row.

    The derivative goes with each entry; equal entries keep their order.

    >>> mg.sort([3.0, 1.0, 2.0])
    array([1., 2., 3.])
    """
    x, axis = along_one(x, axis)
    return bind(TakeAlongAxis, x, bind(ArgSort, x, axis=axis), axis=axis)


@takes_two
@strict
def take(x: Operandlike, indices: Operandlike, axis: int | None = None) -> Operandlike:
    """Compute z = x[…,indices,…]: the entries along `axis`, or of all entries, at these indices.

    >>> mg.take([10.0, 20.0, 30.0], [2, 0])
    array([30., 10.])
    """
    x, axis = along_one(x, axis)
    if isinstance(indices, int):
        return getitem(x, (slice(None),) * axis + (indices,))
    indices = as_operand(indices)
    if indices.dtype.kind not in "iu" and 0 not in indices.shape:
        raise DtypeError(f"indices of dtype {indices.dtype}", "give whole numbers; a mask: x[mask]")
    return getitem(x, (slice(None),) * axis + (indices,))


# rows and columns --------------------------------------------------------------------------------


@takes_one
def atleast_1d(x: Operandlike) -> Operandlike:
    """Compute z = x with at least one axis; a single number becomes a vector of length 1.

    >>> mg.atleast_1d(3.0)
    array([3.])
    """
    x = as_operand(x)
    return read_now(x) if rank_of(x) else reshape(x, (1,))


@takes_one
def atleast_2d(x: Operandlike) -> Operandlike:
    """Compute z = x with at least two axes; a vector becomes a matrix with one row.

    >>> mg.atleast_2d([1.0, 2.0])
    array([[1., 2.]])
    """
    x = atleast_1d(x)
    return x if rank_of(x) > 1 else expand_dims(x, 0)


@takes_list
def hstack(values: Iterable[Operandlike]) -> Operandlike:
    """Compute z = the values joined along their second axis; vectors along their only one.

    >>> mg.hstack([[1.0], [2.0]])
    array([1., 2.])
    """
    values = [atleast_1d(v) for v in list_values(values)]
    return concatenate(values, 0 if values and rank_of(values[0]) == 1 else 1)


@takes_list
def vstack(values: Iterable[Operandlike]) -> Operandlike:
    """Compute z = the values joined along their first axis; a vector is a row.

    >>> mg.vstack([[1.0, 2.0], [3.0, 4.0]])
    array([[1., 2.],
           [3., 4.]])
    """
    return concatenate([atleast_2d(v) for v in list_values(values)], 0)


@takes_two
def outer(x: Operandlike, y: Operandlike) -> Operandlike:
    """Compute z[i,j] = x[i] y[j]; the entries of each operand are read as one vector.

    >>> mg.outer([1.0, 2.0], [3.0, 4.0])
    array([[3., 4.],
           [6., 8.]])
    """
    return mul(reshape(x, (-1, 1)), reshape(y, (1, -1)))


# diagonals ---------------------------------------------------------------------------------------


class Diag(Linear):
    """z = the k-th diagonal of a matrix x, or the matrix that has the vector x as that, else 0."""

    says = "{z} has the diagonal of {x}, or has {x} as its diagonal."
    says_back = "{to} and {z} have a diagonal in common, so {to} receives {z_bar} along it."

    def infer(x, *, k):
        if not is_known(x.shape):
            return Spec((None,) * (3 - len(x.shape)), x.dtype)
        if len(x.shape) == 1:
            return Spec((x.shape[0] + abs(k),) * 2, x.dtype)
        return Spec(diagonal_places(x.shape, k)[0].shape, x.dtype)

    def compute(x, *, k):
        return np.diag(x, k).copy()

    def transpose(z_bar, x, *, k):
        return bind(Diag, z_bar, k=k) if len(x.shape) == 1 else bind(PlaceDiag, z_bar, x, k=k)


class PlaceDiag(Linear):
    """z = zeros like the matrix `like` with x as its k-th diagonal."""

    says = "{z} has {x} as its diagonal and 0 elsewhere."
    says_back = "{to} is the diagonal of {z}, so it receives the diagonal of {z_bar}."
    shape_only = (1,)

    def infer(x, like, *, k):
        return Spec(like.shape, x.dtype)

    def compute(x, like, *, k):
        z = np.zeros(np.shape(like), x.dtype, like=x)
        z[diagonal_places(np.shape(like), k)] = x
        return z

    def transpose(z_bar, x, like, *, k):
        return bind(Diag, z_bar, k=k)


def diagonal_places(shape, k):
    """The rows and the columns of the k-th diagonal of a matrix."""
    below, right = max(-k, 0), max(k, 0)
    places = np.arange(max(min(shape[0] - below, shape[1] - right), 0))
    return places + below, places + right


@takes_one
@strict
def diag(x: Operandlike, k: int = 0) -> Operandlike:
    """Compute z = the k-th diagonal of a matrix x, or a matrix with the vector x as its diagonal.

    k counts from the main diagonal, to the right.

    >>> mg.diag([[1.0, 2.0], [3.0, 4.0]])
    array([1., 4.])
    """
    x, (k,) = as_operand(x), whole_numbers("k", k)
    if rank_of(x) not in (1, 2):
        raise ShapeError(f"diag of a value of shape {x.shape}", "give a vector or a matrix")
    return bind(Diag, x, k=k)
