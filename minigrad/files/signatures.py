"""What each op can be given by a call: only this is saved, and only this is loaded."""

import math
from typing import Any

import numpy as np

from minigrad.core.errors import FileError
from minigrad.core.ops import (
    arrange,
    index,
    linalg,
    logic,
    nn,
    product,
    random,
    reduce,
    shape,
)
from minigrad.core.ops import elementwise as e
from minigrad.core.spec import Spec, is_float, spec_of
from minigrad.files.limits import MOST_ENTRIES, expect_in_file, is_count
from minigrad.files.registry import operands_of
from minigrad.static.control import Fn, bundle, choice, loop
from minigrad.static.control.pytrees import unify
from minigrad.static.graph import Group, Variable
from minigrad.static.statements import Assign, Print

FULL = ("slice", None, None, None)  # x[:]


def check_call(op, xs, params):
    """Raises FileError unless some call gives the op these nodes and parameters."""
    operands, known = operands_of(op)
    expect_in_file(operands in (None, len(xs)), f"{op} takes {operands} operands, not {len(xs)}")
    if set(params) != set(known):
        raise FileError(f"{op} takes the parameters {known}, not {str(sorted(params))[:60]}")
    arrays = op is bundle.Item or not any(isinstance(x.dtype, bundle.Bundle) for x in xs)
    expect_in_file(arrays, f"{op} takes arrays, not a tuple of them")
    rule = CALLS.get(op)
    if rule and not rule(*xs, **params):
        given = ", ".join(f"{name}={value!r}" for name, value in params.items())
        message = f"{op} takes no such operands and parameters: {given[:80]}"
        raise FileError(message, "build the graph with minigrad's functions, which check them")


# numbers, axes, shapes ---------------------------------------------------------------------------


def is_python_number(x):
    """True for a Python number."""
    return type(x) in (bool, int, float)


def are_lengths(lengths, least=0):
    """True for a tuple of whole numbers of at least so much."""
    return type(lengths) is tuple and all(is_count(n, least) for n in lengths)


def is_pair(pair, least=0):
    """True for two whole numbers of at least so much."""
    return are_lengths(pair, least) and len(pair) == 2


def is_axis(axis, x):
    """True for the number of one of x's axes."""
    return is_count(axis) and axis < len(x.shape)


def are_last_axes(axes, rank):
    """True for axes counted from the end, in order, each once."""
    whole = type(axes) is tuple and all(type(a) is int for a in axes)
    return whole and are_axes(tuple(a + rank for a in axes), rank)


def are_axes(axes, rank):
    """True for axes of an array of this rank, in order, each once."""
    return are_lengths(axes) and list(axes) == sorted(set(axes)) and (not axes or axes[-1] < rank)


def are_kept(x, axis, keepdims):
    """True for what a reduction takes."""
    return are_axes(axis, len(x.shape)) and type(keepdims) is bool


# index and einsum --------------------------------------------------------------------------------


def is_index(x, indices, template):
    """True for an index of x with as many whole-number arrays as there are operands for them."""
    return (
        type(template) is tuple
        and all(map(is_part, template))
        and template.count(index.ARRAY) == len(indices)
        and all(i.dtype.kind in "iu" for i in indices)
        and sum(part is not None and part is not ... for part in template) <= len(x.shape)
        and count_picked(x, indices, template) <= MOST_ENTRIES
    )


def is_part(part):
    """True for a part of an index: a new axis, "...", a number, an array, a slice."""
    if type(part) is tuple:
        return (
            len(part) == 4
            and part[0] == "slice"
            and part[3] != 0
            and all(n is None or type(n) is int for n in part[1:])
        )
    return part in (None, ...) or type(part) is int or type(part) is str and part == index.ARRAY


def count_picked(x, indices, template):
    """The entries of x[index], counted without making it: no less than there are."""
    parts = [part for part in fill_template(template, len(x.shape)) if part is not None]
    kept = [
        len(range(*slice(*part[1:]).indices(n or 1)))
        for n, part in zip(x.shape, parts)
        if type(part) is tuple
    ]
    arrays = np.broadcast_shapes(*(tuple(n or 1 for n in i.shape) for i in indices))
    return math.prod(kept) * math.prod(arrays)


def fill_template(template, rank):
    """The template with full slices for "..." and for what is left out."""
    used = sum(part is not None and part is not ... for part in template)
    place = template.index(...) if ... in template else len(template)
    return template[:place] + (FULL,) * (rank - used) + template[place + 1 :]


def are_subscripts(x, y, subscripts):
    """True for subscripts of two operands, in each of which letters differ and none is alone."""
    if not isinstance(subscripts, str) or [subscripts.count(s) for s in ("->", ",")] != [1, 1]:
        return False
    parts = of_x, of_y, of_z = linalg.terms(subscripts)
    return (
        all(not part or part.isalpha() and len(set(part)) == len(part) for part in parts)
        and len(of_x) == len(x.shape)
        and len(of_y) == len(y.shape)
        and set(of_x) <= set(of_y + of_z)
        and set(of_y) <= set(of_x + of_z)
        and set(of_z) <= set(of_x + of_y)
    )


# bodies ------------------------------------------------------------------------------------------


def is_body_of(fn, specs, results=None):
    """True for a body of operands of these Specs, and of so many results."""
    return (
        isinstance(fn, Fn)
        and len(fn.inputs) == len(specs)
        and all(unify(spec_of(x), spec) for x, spec in zip(fn.inputs, specs))
        and (results is None or len(fn.outputs) == results)
    )


def is_choice(pred, *xs, then, otherwise):
    """True for what cond builds."""
    specs = list(map(spec_of, xs))
    return (
        spec_of(pred) == Spec((), np.dtype(bool))
        and is_body_of(then, specs)
        and is_body_of(otherwise, specs, len(then.outputs))
    )


def is_while(*xs, condition, body, carries, limit, record):
    """True for what while_loop and its derivatives build."""
    specs = list(map(spec_of, xs))
    return (
        is_count(carries)
        and carries <= len(xs)
        and type(record) is bool
        and (limit is None or is_count(limit))
        and is_body_of(body, specs, carries)
        and is_body_of(condition, specs, 1)
        and condition.specs[0] == Spec((), np.dtype(bool))
    )


def is_scan(*xs, body, carries, slices, reverse, length, record):
    """True for what scan and the derivatives of loops build."""
    if not (is_count(carries) and is_count(slices) and carries + slices <= len(xs)):
        return False
    before, sliced, fixed = loop.split_operands(xs, carries, slices)
    specs = [
        *map(spec_of, before),
        *(Spec(x.shape[1:], x.dtype) for x in sliced),
        *map(spec_of, fixed),
    ]
    return (
        all(x.shape for x in sliced)
        and type(reverse) is bool
        and type(record) is bool
        and (is_count(length) or length is None and slices > 0)
        and is_body_of(body, specs)
        and len(body.outputs) >= carries
    )


def is_power(x, exponent):
    """True for a float to the power of a number, or an integer to one that it has."""
    if not is_python_number(exponent):
        return False
    return is_float(x.dtype) or type(exponent) is float or exponent >= 0


def is_where(x, y, w):
    """True for a choice by a condition."""
    return x.dtype == bool


def are_ties(x, y, w, axis):
    """True for what the derivatives of max and min build."""
    return (
        x.dtype == bool
        and is_float(y.dtype)
        and is_float(w.dtype)
        and (are_last_axes(axis, len(x.shape)))
    )


def is_draw(key, *like, seed, shape, dtype):
    """True for what the functions of random values build."""
    return (
        len(like) < 2
        and key.shape == ()
        and key.dtype.kind in "iuf"
        and is_count(seed)
        and seed < 2**64
        and isinstance(dtype, np.dtype)
        and is_float(dtype)
        and (shape is None if like else are_lengths(shape))
    )


def is_diagonal(*xs, k):
    """True for what diag and its derivatives build."""
    ranks = [len(x.shape) for x in xs]
    return ranks in ([1], [2], [1, 2]) and type(k) is int and k * k <= MOST_ENTRIES


CALLS: dict[Any, Any] = {  # op: the condition on its operands and parameters
    e.ScalarPower: is_power,
    e.ScalarPowerOfPower: is_power,
    e.Clip: lambda x, low, high: is_python_number(low) and is_python_number(high) and low <= high,
    e.Where: is_where,
    e.Convention: is_where,
    e.Keep: lambda x, y, when: x.dtype == bool and is_float(y.dtype) and type(when) is bool,
    e.Round: lambda x, decimals: type(decimals) is int and abs(decimals) <= e.PLACES,
    e.Cast: lambda x, dtype: isinstance(dtype, np.dtype) and is_float(dtype),
    e.CastToDiscrete: lambda x, dtype: isinstance(dtype, np.dtype) and not is_float(dtype),
    shape.BroadcastTo: lambda x, shape: are_lengths(shape),
    shape.EnsureShape: lambda x, *likes, shape: (
        type(shape) is tuple and are_lengths(tuple(0 if n is None else n for n in shape))
    ),
    shape.Reshape: lambda x, shape: are_lengths(shape, -1),
    shape.Transpose: lambda x, axes: (
        are_lengths(axes) and (sorted(axes) == list(range(len(x.shape))))
    ),
    shape.Flip: lambda x, axis: are_axes(axis, len(x.shape)),
    shape.Squeeze: lambda x, axis: are_axes(axis, len(x.shape)),
    shape.ExpandDims: lambda x, axis: (
        are_lengths(axis) and are_axes(axis, len(x.shape) + len(axis))
    ),
    **dict.fromkeys((reduce.Sum, reduce.Mean, product.Prod, logic.Any, logic.All), are_kept),
    **dict.fromkeys((reduce.Max, reduce.Min, reduce.LogSumExp), are_kept),
    reduce.KeepTied: are_ties,
    reduce.TiesApart: are_ties,
    product.LeaveOut: lambda x, count: is_count(count) and count > 0 and len(x.shape) > 0,
    product.CumSum: lambda x, axis: is_axis(axis, x),
    reduce.Count: lambda x, axis: are_axes(axis, len(x.shape)),
    reduce.Bessel: lambda x, axis, ddof: (
        are_axes(axis, len(x.shape)) and (type(ddof) in (int, float) and math.isfinite(ddof))
    ),
    reduce.ArgMax: lambda x, axis: is_axis(axis, x),
    reduce.ArgMin: lambda x, axis: is_axis(axis, x),
    nn.Softmax: lambda x, axis: is_axis(axis, x),
    nn.LogSoftmax: lambda x, axis: is_axis(axis, x),
    index.GetItem: lambda x, *indices, template: is_index(x, indices, template),
    index.Scatter: lambda x, like, *indices, template: is_index(like, indices, template),
    index.Concatenate: lambda *xs, axis: len(xs) > 0 and is_axis(axis, xs[0]),
    index.Iota: lambda like, *before, axis: (
        type(axis) is tuple
        and len(axis) > 0
        and are_axes(axis, len(like.shape))
        and all(len(x.shape) == len(like.shape) for x in before)
    ),
    index.Pad: lambda x, widths: (
        type(widths) is tuple and len(widths) == len(x.shape) and (all(map(is_pair, widths)))
    ),
    arrange.Roll: lambda x, shift, axis: (
        are_axes(axis, len(x.shape))
        and (type(shift) is tuple and len(shift) == len(axis))
        and all(type(n) is int for n in shift)
    ),
    arrange.MergeAxes: lambda x, axis: is_count(axis) and axis + 1 < len(x.shape),
    **dict.fromkeys((arrange.Diag, arrange.PlaceDiag), is_diagonal),
    arrange.ArgSort: lambda x, axis: is_axis(axis, x),
    arrange.TakeAlongAxis: lambda x, y, axis: is_axis(axis, x),
    arrange.AddAlongAxis: lambda x, like, w, axis: is_axis(axis, like),
    linalg.Einsum: are_subscripts,
    nn.Windows: lambda x, size, stride: is_pair(size, 1) and is_pair(stride, 1),
    nn.Overlap: lambda x, size, stride, shape: (
        is_pair(size, 1) and is_pair(stride, 1) and (is_pair(shape) and len(x.shape) > 3)
    ),
    random.Normal: is_draw,
    random.Uniform: is_draw,
    bundle.Item: lambda x, index: (
        isinstance(x.dtype, bundle.Bundle) and (is_count(index) and index < len(x.dtype))
    ),
    choice.Cond: is_choice,
    loop.While: is_while,
    loop.Scan: is_scan,
    Assign: lambda variable, value: isinstance(variable, Variable),
    Print: lambda x, message: isinstance(message, str),
    Group: lambda *nodes: len(nodes) > 0,
}
