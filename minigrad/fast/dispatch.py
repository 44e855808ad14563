"""Shortcuts from a formula to its numbers: what `bind` and `Tensor.extend` do, in half the time.

Nearly every step of the dynamic engine is an op without parameters on Tensors. On small arrays the
calls around NumPy cost as much as NumPy: here they are written out.
"""

import operator

import numpy as np
from numpy import ndarray

from minigrad.core.modes import FORGET, REMEMBER, mode
from minigrad.core.op import BINARY, UNARY, bind, compute, contiguous, evaluate, explain_error
from minigrad.core.ops.elementwise import Add, Div, Mul, Neg, Sub
from minigrad.core.spec import as_contiguous, is_scalar, scalar_like
from minigrad.dynamic.tensor import (
    CUT,
    EMPTY,
    LEAST_FREED,
    MetaTensor,
    Tensor,
    keep_inputs,
    new_tensor,
    tick,
)

# Python's operators give the bits of these ufuncs, and are ten times as fast on single numbers.
DIRECT = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
}
PLAIN = {ndarray, np.float64, np.float32, float, int}


def install():
    """Fills `shortcuts` of the ops, and gives Tensors operators of their own."""
    for op in UNARY:
        op.shortcuts |= dict.fromkeys((ndarray, np.float64, np.float32), unary_on_arrays(op))
        op.shortcuts[Tensor] = unary_on_tensors(op)
    for op in BINARY:
        op.shortcuts[ndarray] = binary_on_arrays(op)
        op.shortcuts[Tensor] = binary_on_tensors(op)
    for name, op in (("add", Add), ("sub", Sub), ("mul", Mul), ("truediv", Div), ("neg", Neg)):
        setattr(MetaTensor, f"__{name}__", getattr(Tensor, f"__{name}__"))  # which refuse
        setattr(Tensor, f"__{name}__", op.shortcuts[Tensor])


def unary_on_arrays(op):
    """The function x → op(x) for arrays."""
    return lambda x: evaluate(op, (x,), {})


def binary_on_arrays(op):
    """The function x, y → op(x, y) for an array x."""
    reads_x = 0 in op.values_read([False, True])  # then it is copied: the caller may change it

    def shortcut(x, y):
        if type(y) in PLAIN and op.elementwise:
            return evaluate(op, (x, y), {})
        now = mode()
        if type(y) is Tensor and (now is FORGET or now is REMEMBER) and x.dtype.kind == "f":
            return op.shortcuts[Tensor](array_beside(y, x, op, reads_x and now is REMEMBER), y)
        return bind(op, x, y)

    return shortcut


def array_beside(t, array, op, read):
    """A caller's array as a Tensor beside t; copied where a rule will `read` it."""
    array = as_contiguous(array)
    return new_tensor(np.array(array) if read and t.tracked and op.differentiable else array)


def quick_compute(op):
    """op.compute, looking at the order of the operands' numbers only where bits depend on it."""
    if op.elementwise:
        return op.compute
    if op not in BINARY or op.view:
        return lambda *arrays: compute(op, arrays, EMPTY)
    product = op.compute

    def compute_contiguous(x, y):
        z = product(contiguous(x), contiguous(y))
        return z if type(z) is not ndarray or z.flags.c_contiguous else np.ascontiguousarray(z)

    return compute_contiguous


def unary_on_tensors(op):
    """The function x → op(x) for a Tensor x."""
    compute, differentiable = quick_compute(op), op.differentiable
    skips = 0 not in op.values_read([True])

    def shortcut(x):
        now = mode()
        if now is not REMEMBER and now is not FORGET:
            return bind(op, x)
        try:
            data = compute(x.array)
        except Exception as error:
            raise explain_error(error, op, (x,), EMPTY) from None
        z = Tensor()
        z.array = data
        z.order = tick()
        z.params = EMPTY
        z.extra = None
        if now is REMEMBER and x.tracked and differentiable:
            z.op = op
            z.inputs = (x,)
            if skips and data.nbytes >= LEAST_FREED and x.op is not None:
                z.inputs = keep_inputs(z.inputs, op.values_read([True]))
            z.tracked = True
            return z
        if x.extra is CUT or x.tracked and now is FORGET:
            z.extra = CUT
        z.op = None
        z.inputs = ()
        z.tracked = False
        return z

    return shortcut


def binary_on_tensors(op):
    """The function x, y → op(x, y) for a Tensor x."""
    compute, differentiable = quick_compute(op), op.differentiable
    on_numbers = DIRECT.get(op.compute, op.compute)  # the same for NumPy's single numbers
    reads_y = 1 in op.values_read([True, False])

    def shortcut(x, y):
        now = mode()
        if type(y) is not Tensor or now is not REMEMBER and now is not FORGET:
            return tensor_and_other(op, x, y, now, reads_y)
        v = x.array
        try:
            data = compute(v, y.array) if type(v) is ndarray else on_numbers(v, y.array)
        except Exception as error:
            raise explain_error(error, op, (x, y), EMPTY) from None
        z = Tensor()
        z.array = data
        z.order = tick()
        z.params = EMPTY
        z.extra = None
        if now is REMEMBER and (x.tracked or y.tracked) and differentiable:
            z.op = op
            z.inputs = (x, y)
            if data.nbytes >= LEAST_FREED and (x.op is not None or y.op is not None):
                z.inputs = keep_inputs(z.inputs, op.values_read([x.tracked, y.tracked]))
            z.tracked = True
            return z
        if x.extra is CUT or y.extra is CUT or now is FORGET and (x.tracked or y.tracked):
            z.extra = CUT
        z.op = None
        z.inputs = ()
        z.tracked = False
        return z

    return shortcut


def tensor_and_other(op, x, y, now, reads_y):
    """op(x, y), where y is no plain Tensor, or more is to be done than computing."""
    if now is not REMEMBER and now is not FORGET:
        return bind(op, x, y)
    if type(y) is ndarray and y.dtype.kind == "f":
        if now is FORGET and op.elementwise:  # as in w -= rate * g
            try:
                data = op.compute(x.array, as_contiguous(y))
            except Exception as error:
                raise explain_error(error, op, (x, y), EMPTY) from None
            return new_tensor(data, extra=CUT if x.tracked or x.extra is CUT else None)
        return op.shortcuts[Tensor](x, array_beside(x, y, op, reads_y and now is REMEMBER))
    if not is_scalar(y):
        return bind(op, x, y)
    number = scalar_like(y, (x.array.dtype,))
    other = new_tensor(number if type(x.array) is ndarray else number[()])
    return op.shortcuts[Tensor](x, other)
