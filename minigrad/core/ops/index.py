"""Ops that pick entries, and put them back: indexing, joining, padding."""

import operator
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, GraphError, ShapeError
from minigrad.core.op import Discrete, Linear, Operandlike, Value, bind
from minigrad.core.ops.elementwise import as_entries
from minigrad.core.ops.options import strict
from minigrad.core.ops.precision import rounded_once
from minigrad.core.ops.shape import expand_dims, is_known
from minigrad.core.signatures import takes_list, takes_one
from minigrad.core.spec import Spec, is_whole_number, rank_of
from minigrad.core.ops.axes import normalize_axis

ARRAY = "array"  # stands in an index template where the next index operand belongs


# index -------------------------------------------------------------------------------------------


class GetItem(Linear):
    """z = x[index]; integer arrays in the index are the operands after x, and make z a copy."""

    says = "{z} is the part [{index}] of {x}."
    says_back = "{z} is a part of {to}, so that part receives {z_bar}. The rest receives 0."
    view = True

    @classmethod
    def gives_view(op, count):
        return count == 1

    def infer(x, *indices, template):
        return Spec(indexed_shape(x, indices, template), x.dtype)

    def compute(x, *indices, template):
        return x[fill_index(template, indices)]

    def transpose(z_bar, x, *indices, template):
        return bind(Scatter, z_bar, x, *indices, template=template)

    reads = ("*",)


class Scatter(Linear):
    """z = zeros like `like` with x added at [index]: entries that repeat in the index add up."""

    says = "{z} has {x} at [{index}] and 0 elsewhere."
    says_back = "{to} was put at [{index}], so it receives {z_bar} from there."
    shape_only = (1,)

    def infer(x, like, *indices, template):
        return Spec(like.shape, x.dtype)

    @rounded_once
    def compute(x, like, *indices, template):
        z = np.zeros(np.shape(like), x.dtype, like=as_entries(x))
        index = fill_index(template, indices)
        if indices:
            np.add.at(z, index, x)
        else:
            z[index] = x
        return z

    def transpose(z_bar, x, like, *indices, template):
        return bind(GetItem, z_bar, *indices, template=template)

    reads = ("+",)


@takes_one
def getitem(x: Operandlike, index: Any) -> Operandlike:
    """z = x[index], with NumPy's basic, integer-array and boolean-array indexing."""
    parts = index if isinstance(index, tuple) else (index,)
    template, indices = [], []
    for place, part in enumerate(parts):
        if part is None or part is Ellipsis or isinstance(part, slice):
            template.append(part)
        elif is_whole_number(part):
            template.append(int(part))
        else:
            part = index_entry(part)
            if part.dtype == bool:
                check_mask(part, x, parts, place)
            for array in index_arrays(part):
                template.append(ARRAY)
                indices.append(array)
    return bind(GetItem, x, *indices, template=tuple(map(freeze_slice, template)))


def index_entry(part):
    """A list in an index as an array; a Value as it is."""
    try:
        return part if isinstance(part, Value) else np.asarray(part)
    except ValueError:
        raise ArgumentError(f"the index {part!r} is a list of lists of different lengths",
                            "give lists of equal lengths, or one index after another") from None


def index_arrays(part):
    """The integer arrays that an array or Value in an index stands for."""
    kind = part.dtype.kind
    if kind == "b":
        return mask_numbers(part).nonzero()
    if kind in "iu" or 0 in part.shape:
        return (part if kind in "iu" else part.astype(np.intp),)
    raise ArgumentError(f"an index of dtype {part.dtype} cannot select entries",
                        "index with integers, slices, or a mask such as x > 0")


def mask_numbers(mask):
    """A mask's entries. Raises GraphError for a Node: how many it picks is part of a shape."""
    try:
        return mask.numpy() if isinstance(mask, Value) else mask
    except GraphError:
        raise GraphError("how many entries a mask selects is not known before the graph runs",
                         "keep the shape: mg.where(mask, x, 0)") from None


def check_mask(mask, x, parts, place):
    """Raises unless a mask has the lengths of the axes of x that it stands for."""
    if not mask.shape:
        raise ArgumentError("a single boolean is not a mask",
                            "write x[None] for a new axis, or pass a mask of x's shape")
    dots = any(part is Ellipsis for part in parts[:place])
    axis = (rank_of(x) - sum(map(axes_taken, parts[place:])) if dots
            else sum(map(axes_taken, parts[:place])))
    lengths = tuple(np.shape(x)[axis:axis + len(mask.shape)])
    if not is_known(lengths):
        raise ShapeError(f"a mask of shape {tuple(mask.shape)} picks from axes of lengths "
                         f"{lengths}, of which not all are known before x is fed",
                         "give the placeholder those lengths, or keep the shape: "
                         "mg.where(mask, x, 0)")
    if lengths != tuple(mask.shape):
        raise ShapeError(f"a mask of shape {tuple(mask.shape)} cannot pick from axes of lengths "
                         f"{lengths}", "make the mask from the array that it indexes: x[x > 0]")


def axes_taken(part):
    """How many axes of x a part of an index stands for."""
    if part is None or part is Ellipsis:
        return 0
    if isinstance(part, (slice, int, np.integer)):
        return 1
    part = part if isinstance(part, Value) else np.asarray(part)
    return len(part.shape) if part.dtype == bool else 1


def freeze_slice(part):
    """A slice as a tuple, which can be compared, hashed and saved."""
    if not isinstance(part, slice):
        return part
    ends = part.start, part.stop, part.step
    for end in ends:
        if end is not None and type(end) is not int:
            return ("slice", *[whole_end(end, part) for end in ends])
    return ("slice", *ends)


def whole_end(end, part):
    """An end of a slice as an int: a Tensor may stand for one."""
    if end is None:
        return None
    if isinstance(end, Value):
        return operator.index(end)
    try:
        return operator.index(end)
    except TypeError:
        raise ArgumentError(f"{part} is not a slice of whole numbers",
                            "write for example x[1:3]") from None


def fill_index(template, indices):
    """The index that NumPy takes: `template` with its arrays in place."""
    arrays = iter(indices)
    return tuple(slice(*part[1:]) if isinstance(part, tuple)
                 else next(arrays) if part == ARRAY else part for part in template)


def indexed_shape(x, indices, template):
    """The shape of x[index]; lengths that depend on an unknown length are unknown."""
    specs = [x, *indices]
    if all(is_known(s.shape) for s in specs):
        return probe_shape([s.shape for s in specs], template)
    anywhere = tuple(0 if type(part) is int else part for part in template)
    short, long = (probe_shape([tuple(stand_in if n is None else n for n in s.shape)
                                for s in specs], anywhere) for stand_in in (1, 11))
    return tuple(m if m == n else None for m, n in zip(short, long))


def probe_shape(shapes, template):
    """The shape that NumPy gives to an index, found on an array without memory of its own."""
    index = fill_index(template, [np.zeros(shape, np.intp) for shape in shapes[1:]])
    try:
        return np.broadcast_to(np.int8(0), pickable(shapes[0], index))[index].shape
    except IndexError as error:
        raise ShapeError(f"{error}".replace("array", "{x}"), "count the axes from 0") from None


def pickable(shape, index):
    """`shape` with at least one entry in each axis that an array of the index picks from: the body
    of a loop names a row even where there are none and it never runs."""
    lengths, axis = list(shape), 0
    for place, part in enumerate(index):
        if part is Ellipsis:
            axis = len(shape) - sum(map(axes_taken, index[place:]))
        elif isinstance(part, np.ndarray) and axis < len(shape):
            lengths[axis] = max(lengths[axis], 1)
        axis += axes_taken(part)
    return lengths


# join --------------------------------------------------------------------------------------------


class Concatenate(Linear):
    """z = the operands one after another along `axis`."""

    says = "{z} joins {xs} along {along}."
    says_back = "{to} is a part of {z}, so it receives that part of {z_bar}."
    jointly = True

    def infer(*xs, axis):
        for i, x in enumerate(xs):
            if not can_join(x.shape, xs[0].shape, axis):
                raise ShapeError(f"{{x{i}}} and {{x0}} differ outside axis {axis}",
                                 "only the lengths along the joined axis may differ")
        lengths = [x.shape[axis] for x in xs]
        shape = [next((n for n in each if n is not None), None)
                 for each in zip(*(x.shape for x in xs))]
        shape[axis] = sum(lengths) if is_known(lengths) else None
        return Spec(tuple(shape), np.result_type(*(x.dtype for x in xs)))

    def compute(*xs, axis):
        return np.concatenate(xs, axis)

    def transpose(z_bar, *xs, axis):
        whole, lengths = (slice(None),) * axis, [x.shape[axis] for x in xs]
        if not is_known(lengths):
            places = [bind(Iota, x, *xs[:i], axis=(axis,)) for i, x in enumerate(xs)]
            return [getitem(z_bar, (*whole, each)) for each in places]
        stops = np.cumsum([0, *lengths]).tolist()
        return [getitem(z_bar, (*whole, slice(*ends))) for ends in pairwise(stops)]


class Iota(Discrete):
    """z = the places along `axis` that `like` takes when it is joined behind `before`: 0, 1, …

    Several axes of `like`, as those of a diagonal, have one length. For lengths known only at run
    time: np.arange tells the others.
    """

    says = "{z} counts the places of {x} along {along}."

    def infer(like, *before, axis):
        known = {like.shape[a] for a in axis} - {None}
        if len(known) > 1:
            raise ShapeError(f"a diagonal of {{like}}, whose axes {axis} have lengths "
                             f"{' and '.join(map(str, sorted(known)))}", "give equal lengths")
        return Spec((known.pop() if known else None,), np.dtype(np.intp))

    def compute(like, *before, axis):
        (n,) = Iota.infer(like, axis=axis).shape
        return np.arange(n) + sum(np.shape(x)[axis[0]] for x in before)


def can_join(shape, first, axis):
    """True when two shapes agree on every axis but the joined one."""
    return len(shape) == len(first) and all(
        m == n or None in (m, n) or a == axis for a, (m, n) in enumerate(zip(shape, first)))


def list_values(values):
    """The values to be joined as a list."""
    try:
        return list(values)
    except TypeError:
        raise ArgumentError(f"{values!r} is a single value, so there is nothing to join",
                            "give a list: [x, y]") from None


@takes_list
@strict
def concatenate(values: Iterable[Operandlike], axis: int = 0) -> Operandlike:
    """Compute z = the values joined one after another along `axis`.

    >>> mg.concatenate([[1.0, 2.0], [3.0]])
    array([1., 2., 3.])
    """
    values = list_values(values)
    if not values:
        raise ArgumentError("there is nothing to concatenate", "pass at least one value")
    if not rank_of(values[0]):
        raise ShapeError("single numbers have no axis along which to join them", "use stack")
    axis = normalize_axis(axis, rank_of(values[0]))
    return bind(Concatenate, *values, axis=axis)


@takes_list
@strict
def stack(values: Iterable[Operandlike], axis: int = 0) -> Operandlike:
    """Compute z = the values stacked along a new axis.

    >>> mg.stack([[1.0, 2.0], [3.0, 4.0]])
    array([[1., 2.],
           [3., 4.]])
    """
    values = list_values(values)
    axis = normalize_axis(axis, rank_of(values[0]) + 1 if values else 1)
    return concatenate([expand_dims(v, axis) for v in values], axis)


# pad ---------------------------------------------------------------------------------------------


class Pad(Linear):
    """z = x with zeros around it: `widths` holds (before, after) for each axis."""

    says = "{z} is {x} with zeros around it."
    says_back = "The zeros around {to} are constants, so {to} receives the inner part of {z_bar}."

    def infer(x, *, widths):
        return Spec(tuple(None if n is None else n + before + after
                          for n, (before, after) in zip(x.shape, widths)), x.dtype)

    def compute(x, *, widths):
        return np.pad(x, widths)

    def transpose(z_bar, x, *, widths):
        return getitem(z_bar, tuple(slice(before, -after or None) for before, after in widths))


@takes_one
@strict
def pad(x: Operandlike, widths: Any) -> Operandlike:
    """Compute z = x with zeros around it; `widths` as in numpy.pad: n, (before, after) or one each.

    >>> mg.pad([1.0, 2.0], 1)
    array([0., 1., 2., 0.])
    """
    if not rank_of(x):
        raise ShapeError("a single number has no axis along which to add zeros", "pad an array")
    try:
        pairs = np.broadcast_to(np.asarray(widths), (rank_of(x), 2))
    except ValueError:
        raise ArgumentError(f"widths {widths} do not fit {rank_of(x)} axes",
                            "give one (before, after) for each axis") from None
    if pairs.dtype.kind not in "iu" or (pairs < 0).any():
        raise ArgumentError(f"widths {widths} are not whole numbers of 0 or more",
                            "slice to remove entries")
    return bind(Pad, x, widths=tuple((int(b), int(a)) for b, a in pairs))
