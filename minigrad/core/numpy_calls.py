"""What NumPy's functions mean on Tensors and Nodes: the op of the same name, where there is one."""

import inspect
import math
import string
from itertools import pairwise

import numpy as np

from minigrad.core import hints, ops
from minigrad.core.errors import ArgumentError, GraphError, ShapeError
from minigrad.core.modes import mode
from minigrad.core.op import Value, ZerosLike, bind
from minigrad.core.ops.axes import normalize_axis
from minigrad.core.ops.elementwise import Identity
from minigrad.core.ops.logic import both, differ, either, invert
from minigrad.core.ops.precision import narrow, widen
from minigrad.core.ops.shape import fill_like
from minigrad.core.spec import is_scalar

# ufuncs ------------------------------------------------------------------------------------------

UFUNCS = {  # those of one name, then the others
    **{
        vars(np)[name]: getattr(ops, name)
        for name in ops.__all__
        if isinstance(vars(np).get(name), np.ufunc)
    },
    np.subtract: ops.sub,
    np.multiply: ops.mul,
    np.divide: ops.div,
    np.negative: ops.negate,
    np.rint: ops.round,
    np.bitwise_and: both,
    np.bitwise_or: either,
    np.bitwise_xor: differ,
    np.invert: invert,
    np.reciprocal: lambda x: ops.div(1, x),
    np.positive: lambda x: bind(Identity, x),
    np.divmod: lambda x, y: (ops.floor_divide(x, y), ops.remainder(x, y)),
}
REDUCED = {
    np.add: ops.sum,
    np.multiply: ops.prod,
    np.maximum: ops.max,
    np.minimum: ops.min,
    np.logical_and: ops.all,
    np.logical_or: ops.any,
}


def call_ufunc(x, ufunc, method, *inputs, **options):
    """Lets `array * tensor` and `np.exp(tensor)` be the op of a ufunc's name.

    Without such an op it is NumPy's result, where no derivative is lost by it.
    """
    op = UFUNCS.get(ufunc) if method == "__call__" else None
    if op and not options:
        return op(*inputs)
    name = f"np.{ufunc.__name__}" + (f".{method}" if method != "__call__" else "")
    if "out" in options:
        refuse_to_write(name, (*inputs, *options["out"]), options["out"])
        return getattr(ufunc, method)(*arrays_in(name, inputs), **options)
    if op:
        refuse_options(name, options)
    if method == "reduce" and ufunc in REDUCED:
        axis, keepdims = options.pop("axis", 0), options.pop("keepdims", False)
        refuse_options(name, options)
        return REDUCED[ufunc](*inputs, axis=axis, keepdims=keepdims)
    return getattr(ufunc, method)(*arrays_in(name, inputs), **options)


def refuse_to_write(name, values, targets):
    """Raises ArgumentError where NumPy would write into an array what has a derivative, or no
    numbers yet, or into a Tensor, which must learn of it."""
    waits = any(getattr(each, "graph", None) is not None for each in values)
    if waits or any(map(loses_derivative, values)):
        message = f"{name} would write into an array, which does not record derivatives"
        numbers = "a node's numbers come from sess.run(x)" if waits else "or pass x.numpy()"
        raise ArgumentError(message, f"write A = A + x for A += x, {numbers}")
    if any(isinstance(target, Value) for target in targets):
        message = f"{name} would change a Tensor without minigrad noticing"
        raise ArgumentError(message, "write t += x, or pass out=t.data")


def loses_derivative(value):
    """True for a Value whose derivative would be lost in NumPy's hands."""
    return getattr(value, "requires_grad", False) and mode().recording


# other functions ---------------------------------------------------------------------------------


def call_reduction(op):
    """NumPy's call of a reduction, whose third argument is a dtype or an array to write into."""
    return lambda a, axis=None, *, keepdims=False: op(a, axis, keepdims)


def call_spread(op):
    """NumPy's call of a variance."""
    return lambda a, axis=None, *, ddof=0, keepdims=False: op(a, axis, keepdims, ddof)


def call_search(op):
    """NumPy's call of argmax and argmin: without an axis, in all entries."""

    def search(a, axis=None, *, keepdims=False):
        found, places = op(a, axis), tuple(range(a.ndim)) if axis is None else axis
        return ops.expand_dims(found, places) if keepdims else found

    return search


def call_clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """np.clip: each bound a number, an array or None."""
    low, high = min if a_min is None else a_min, max if a_max is None else a_max
    if is_scalar(low) and is_scalar(high):
        return ops.clip(a, low, high)
    a = a if low is None else ops.maximum(a, low)
    return a if high is None else ops.minimum(a, high)


def call_pad(array, pad_width, mode="constant"):
    """np.pad with zeros."""
    if mode != "constant":
        refuse_options("np.pad", ["mode"])
    return ops.pad(array, pad_width)


def call_swapaxes(a, axis1, axis2):
    """np.swapaxes."""
    axes = list(range(a.ndim))
    axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    return ops.transpose(a, axes)


def call_moveaxis(a, source, destination):
    """np.moveaxis."""
    places = [[normalize_axis(n, a.ndim) for n in np.ravel(axes)] for axes in (source, destination)]
    order = [n for n in range(a.ndim) if n not in places[0]]
    for new, old in sorted(zip(*reversed(places))):
        order.insert(new, old)
    return ops.transpose(a, order)


def call_size(a, axis=None):
    """np.size."""
    return math.prod(a.shape) if axis is None else a.shape[axis]


def call_each(op, function):
    """NumPy's call of a function that takes one value, or several and gives a tuple.

    Like np.asarray, it makes an array of a Tensor without a derivative; SciPy relies on that.
    """

    def one(x):
        is_node = getattr(x, "graph", None) is not None
        stays = is_node or getattr(x, "requires_grad", False)
        return op(x) if stays else function(np.asarray(x))

    return lambda *arys: one(arys[0]) if len(arys) == 1 else tuple(map(one, arys))


def call_append(arr, values, axis=None):
    """np.append."""
    both = (arr, values) if axis is not None else [ops.reshape(v, -1) for v in (arr, values)]
    return ops.concatenate(both, 0 if axis is None else axis)


def call_column_stack(tup):
    """np.column_stack."""
    columns = map(ops.atleast_1d, tup)
    return ops.hstack([c if len(c.shape) > 1 else ops.expand_dims(c, 1) for c in columns])


def call_split(ary, indices_or_sections, axis=0):
    """np.split."""
    axis, ends = normalize_axis(axis, ary.ndim), indices_or_sections
    length = ary.shape[axis]
    if not np.iterable(ends):
        if length is None or length % ends:
            message = f"{length} places along axis {axis} are not {ends} equal parts"
            raise ShapeError(message, "give the places to cut at: np.split(x, [2, 5])")
        ends = range(length // ends, length, length // ends)
    before = (slice(None),) * axis
    return [ary[(*before, slice(*both))] for both in pairwise([0, *ends, None])]


def call_diff(a, n=1, axis=-1):
    """np.diff."""
    before = (slice(None),) * normalize_axis(axis, a.ndim)
    for _ in range(n):
        a = a[(*before, slice(1, None))] - a[(*before, slice(None, -1))]
    return a


def call_average(a, axis=None, weights=None, *, keepdims=False):
    """np.average: weights of a's shape, or one for each place along the axis."""
    if weights is None:
        return ops.mean(a, axis, keepdims)
    if np.shape(weights) != np.shape(a):
        lengths = [1] * np.ndim(a)
        lengths[normalize_axis(axis, np.ndim(a))] = -1
        weights = ops.reshape(weights, lengths)
    x, w = widen(a), widen(weights)
    return narrow(ops.sum(x * w, axis, keepdims) / ops.sum(w, axis, keepdims), a, weights)


def call_tensordot(a, b, axes=2):
    """np.tensordot, by einsum."""
    pairs = axes if np.iterable(axes) else (range(-axes, 0), range(axes))
    letters = string.ascii_letters
    of_a, of_b = list(letters[: np.ndim(a)]), list(letters[np.ndim(a) :][: np.ndim(b)])
    for i, j in zip(*map(np.ravel, pairs)):
        if np.shape(a)[i] != np.shape(b)[j]:
            message = f"np.tensordot of {np.shape(a)} and {np.shape(b)} over axes {i} and {j}"
            raise ShapeError(message, "name axes of equal lengths")
        of_b[j] = of_a[i]
    kept = [n for n in of_a + of_b if not (n in of_a and n in of_b)]
    return ops.einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(kept)}", a, b)


def call_norm(x, ord=None, axis=None, keepdims=False):
    """np.linalg.norm: the root of the sum of squares, which is the default."""
    if ord is not None and (ord, np.ndim(x) if axis is None else np.size(axis)) != (2, 1):
        hint = "write mg.sum(mg.abs(x), axis) for ord=1, mg.max(mg.abs(x), axis) for ord=np.inf"
        raise ArgumentError(f"np.linalg.norm takes no ord={ord!r} of a Tensor or Node", hint)
    wide = widen(x)
    return narrow(ops.sqrt(ops.sum(wide * wide, axis, keepdims)), x)


FUNCTIONS = {  # what has no entry takes the numbers of what has no derivative
    np.sum: call_reduction(ops.sum),
    np.prod: call_reduction(ops.prod),
    np.mean: call_reduction(ops.mean),
    np.var: call_spread(ops.var),
    np.std: call_spread(ops.std),
    np.max: call_reduction(ops.max),
    np.min: call_reduction(ops.min),
    np.amax: call_reduction(ops.max),
    np.amin: call_reduction(ops.min),
    np.any: call_reduction(ops.any),
    np.all: call_reduction(ops.all),
    np.argmax: call_search(ops.argmax),
    np.argmin: call_search(ops.argmin),
    np.cumsum: lambda a, axis=None: ops.cumsum(a, axis),
    np.clip: call_clip,
    np.round: lambda a, decimals=0: ops.round(a, decimals),
    np.around: lambda a, decimals=0: ops.round(a, decimals),
    np.reshape: lambda a, shape: ops.reshape(a, shape),
    np.ravel: lambda a: ops.reshape(a, -1),
    np.transpose: lambda a, axes=None: ops.transpose(a, axes),
    np.swapaxes: call_swapaxes,
    np.pad: call_pad,
    np.broadcast_to: lambda array, shape: ops.broadcast_to(array, shape),
    np.expand_dims: lambda a, axis: ops.expand_dims(a, axis),
    np.squeeze: lambda a, axis=None: ops.squeeze(a, axis),
    np.flip: lambda m, axis=None: ops.flip(m, axis),
    np.fliplr: lambda m: ops.flip(m, 1),
    np.flipud: lambda m: ops.flip(m, 0),
    np.roll: lambda a, shift, axis=None: ops.roll(a, shift, axis),
    np.moveaxis: call_moveaxis,
    np.repeat: lambda a, repeats, axis=None: ops.repeat(a, repeats, axis),
    np.tile: lambda A, reps: ops.tile(A, reps),
    np.atleast_1d: call_each(ops.atleast_1d, np.atleast_1d),
    np.atleast_2d: call_each(ops.atleast_2d, np.atleast_2d),
    np.concatenate: lambda arrays, axis=0: ops.concatenate(arrays, axis),
    np.stack: lambda arrays, axis=0: ops.stack(arrays, axis),
    np.hstack: lambda tup: ops.hstack(tup),
    np.vstack: lambda tup: ops.vstack(tup),
    np.column_stack: call_column_stack,
    np.append: call_append,
    np.split: call_split,
    np.take: lambda a, indices, axis=None: ops.take(a, indices, axis),
    np.take_along_axis: lambda arr, indices, axis=-1: ops.take_along_axis(arr, indices, axis),
    np.sort: lambda a, axis=-1: ops.sort(a, axis),
    np.argsort: lambda a, axis=-1: ops.argsort(a, axis),
    np.diag: lambda v, k=0: ops.diag(v, k),
    np.trace: lambda a, offset=0: ops.sum(ops.diag(a, offset)),
    np.diff: call_diff,
    np.ptp: lambda a, axis=None, *, keepdims=False: (
        ops.max(a, axis, keepdims) - ops.min(a, axis, keepdims)
    ),
    np.average: call_average,
    np.outer: lambda a, b: ops.outer(a, b),
    np.vdot: lambda a, b: ops.dot(ops.reshape(a, -1), ops.reshape(b, -1)),
    np.inner: lambda a, b: (
        call_tensordot(a, b, (-1, -1)) if np.ndim(a) and np.ndim(b) else ops.mul(a, b)
    ),
    np.tensordot: call_tensordot,
    np.linalg.norm: call_norm,
    np.where: lambda condition, x, y: ops.where(condition, x, y),
    np.dot: lambda a, b: ops.dot(a, b),
    np.einsum: lambda subscripts, *operands: ops.einsum(subscripts, *operands),
    np.copy: lambda a: bind(Identity, a),
    np.zeros_like: lambda a: bind(ZerosLike, a),
    np.ones_like: lambda a: fill_like(a, 1),
    np.full_like: lambda a, fill_value: fill_like(a, fill_value),
    np.iscomplexobj: lambda x: False,
    np.isrealobj: lambda x: True,
    np.shape: lambda a: a.shape,
    np.ndim: lambda a: a.ndim,
    np.size: call_size,
}
QUESTIONS = (np.allclose, np.array_equal, np.isclose)  # they have no derivative in any case


def call_function(x, function, types, arguments, options):
    """Lets `np.sum(tensor)` and `np.concatenate([tensor, array])` be the op of that name.

    Without such an op it is NumPy's result, where no derivative is lost by it.
    """
    name = f"{function.__module__}.{function.__name__}".replace("numpy", "np", 1)
    op = FUNCTIONS.get(function)
    if op is not None:
        given = {o: value for o, value in options.items() if value is not np._NoValue}
        given = {o: value for o, value in given.items() if value is not None or o == "axis"}
        try:
            bound = inspect.signature(op).bind(*arguments, **given)
        except TypeError:
            refuse_options(name, [o for o in given if o not in inspect.signature(op).parameters])
        else:
            return op(*bound.args, **bound.kwargs)
    hint = f"pass {', '.join(inspect.signature(op).parameters)} alone" if op else None
    numbers, rest = arrays_in(name, (arguments, options), function in QUESTIONS, hint)
    return function(*numbers, **rest)


def refuse_options(name, options):
    """Raises ArgumentError for an option of NumPy's that the op does not have."""
    for option in options:
        message = f"{name} takes no {option}= where a Tensor or Node takes part"
        raise ArgumentError(
            message, "leave it out; cast with x.astype(dtype), choose with mg.where"
        )


def arrays_in(name, nest, lost=False, hint=None):
    """A nest with arrays for its values. Raises ArgumentError where a derivative would be lost."""
    if isinstance(nest, Value):
        tracked = loses_derivative(nest) and not lost
        return read_for_numpy(name, nest, tracked, hint or hints.advice_for_numpy(name))
    if isinstance(nest, dict):
        return {key: arrays_in(name, part, lost, hint) for key, part in nest.items()}
    if isinstance(nest, (list, tuple)) and not hasattr(nest, "_fields"):
        return type(nest)(arrays_in(name, part, lost, hint) for part in nest)
    return nest


def read_for_numpy(name, value, tracked, hint):
    """A value's numbers for a function of NumPy's; unless a derivative would be lost."""
    if tracked:
        rule = f"pass x.numpy(), or give it a rule: mg.custom_op(lambda x: {name}(x), vjp=…)"
        hint = f"{hint}; or pass x.numpy()" if hint else rule
        raise ArgumentError(f"{name} has no derivative rule in minigrad", hint)
    try:
        return value.numpy()
    except GraphError as error:
        raise GraphError(error.message, hint or error.hint) from None


class NumPyCalls(Value):
    """A Value on which NumPy's functions are the ops of their names."""

    __slots__ = ()
    __array_ufunc__, __array_function__ = call_ufunc, call_function
