"""What NumPy's functions mean on Tensors and Nodes: the op of the same name, where there is one."""

import inspect
import math

import numpy as np

from minigrad.core import ops
from minigrad.core.errors import ArgumentError
from minigrad.core.modes import mode
from minigrad.core.op import Value, ZerosLike, bind
from minigrad.core.ops.elementwise import Identity
from minigrad.core.ops.logic import both, differ, either, invert
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
    numbers = arrays_in(name, inputs)
    return getattr(ufunc, method)(*numbers, **options)


def refuse_to_write(name, values, targets):
    """Raises ArgumentError where NumPy would write into an array what has a derivative, or no
    numbers yet, or into a Tensor, which must learn of it."""
    waits = any(getattr(each, "graph", None) is not None for each in values)
    if waits or any(map(loses_derivative, values)):
        message = f"{name} would write into an array, which remembers no derivative"
        numbers = "a node's numbers come from sess.run(x)" if waits else "or pass x.numpy()"
        raise ArgumentError(message, f"write A = A + x for A += x, {numbers}")
    if any(isinstance(target, Value) for target in targets):
        message = f"{name} would write into a Tensor behind its back"
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


def call_size(a, axis=None):
    """np.size."""
    return math.prod(a.shape) if axis is None else a.shape[axis]


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
    np.concatenate: lambda arrays, axis=0: ops.concatenate(arrays, axis),
    np.stack: lambda arrays, axis=0: ops.stack(arrays, axis),
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
    numbers, rest = arrays_in(name, (arguments, options), function in QUESTIONS)
    return function(*numbers, **rest)


def refuse_options(name, options):
    """Raises ArgumentError for an option of NumPy's that the op does not have."""
    for option in options:
        message = f"{name} takes no {option}= where a Tensor or Node takes part"
        raise ArgumentError(
            message, "leave it out; cast with x.astype(dtype), choose with mg.where"
        )


def arrays_in(name, nest, lost=False):
    """A nest with arrays for its values. Raises ArgumentError where a derivative would be lost."""
    if isinstance(nest, Value):
        if loses_derivative(nest) and not lost:
            message = f"{name} knows nothing of derivatives"
            raise ArgumentError(message, "write it with minigrad's ops, or pass x.numpy()")
        return nest.numpy()
    if isinstance(nest, dict):
        return {key: arrays_in(name, part, lost) for key, part in nest.items()}
    if isinstance(nest, (list, tuple)) and not hasattr(nest, "_fields"):
        return type(nest)(arrays_in(name, part, lost) for part in nest)
    return nest


class NumPyCalls(Value):
    """A Value on which NumPy's functions are the ops of their names."""

    __slots__ = ()
    __array_ufunc__, __array_function__ = call_ufunc, call_function
