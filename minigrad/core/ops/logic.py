"""Ops that answer yes or no: what holds of numbers, and of several answers together."""

from typing import cast

import numpy as np

from minigrad.core.errors import DtypeError
from minigrad.core.op import Discrete, F, Operandlike, binary, unary
from minigrad.core.ops.elementwise import Step
from minigrad.core.spec import Spec, spec_of
from minigrad.core.ops.axes import reduced_shape, reduction

# of each entry -----------------------------------------------------------------------------------


class IsNan(Step):
    """Compute z = (x is not a number).

    >>> mg.isnan([1.0, np.nan])
    array([False,  True])
    """

    says = "{z} says where {x} is NaN."
    compute = np.isnan


class IsInf(Step):
    """Compute z = (x is inf or -inf).

    >>> mg.isinf([1.0, np.inf])
    array([False,  True])
    """

    says = "{z} says where {x} is infinite."
    compute = np.isinf


class IsFinite(Step):
    """Compute z = (x is neither infinite nor NaN).

    >>> mg.isfinite([1.0, np.inf])
    array([ True, False])
    """

    says = "{z} says where {x} is finite."
    compute = np.isfinite


class LogicalNot(Step):
    """Compute z = not x; a number that is not 0 counts as true.

    >>> mg.logical_not([True, False])
    array([False,  True])
    """

    says = "{z} is true where {x} is false."
    onnx = "Not"
    compute = np.logical_not


class LogicalAnd(Step):
    """Compute z = x and y; a number that is not 0 counts as true.

    >>> mg.logical_and([True, False], True)
    array([ True, False])
    """

    says = "{z} is true where both {x} and {y} are true."
    commutative = True
    onnx = "And"
    compute = np.logical_and


class LogicalOr(Step):
    """Compute z = x or y; a number that is not 0 counts as true.

    >>> mg.logical_or([True, False], False)
    array([ True, False])
    """

    says = "{z} is true where {x} or {y} is true."
    commutative = True
    onnx = "Or"
    compute = np.logical_or


class LogicalXor(Step):
    """Compute z = either x or y; a number that is not 0 counts as true.

    >>> mg.logical_xor([True, False], True)
    array([False,  True])
    """

    says = "{z} is true where exactly one of {x} and {y} is true."
    commutative = True
    onnx = "Xor"
    compute = np.logical_xor


isnan = unary(IsNan)
isinf = unary(IsInf)
isfinite = unary(IsFinite)
logical_not = unary(LogicalNot)
logical_and = binary(LogicalAnd)
logical_or = binary(LogicalOr)
logical_xor = binary(LogicalXor)


def on_masks(function: F, sign: str) -> F:
    """The function for Python's operator `sign`, which takes masks: Python means bits by it."""
    def operator(*masks: Operandlike) -> Operandlike:
        for mask in masks:
            if spec_of(mask).dtype != bool:
                raise DtypeError(f"{sign} joins masks, and this is {spec_of(mask)}",
                                 f"compare first: (x > 0) {sign} (y > 0), with the brackets"
                                 if len(masks) > 1 else f"compare first: {sign}(x > 0)")
        return function(*masks)
    return cast(F, operator)


invert = on_masks(logical_not, "~")
both = on_masks(logical_and, "&")
either = on_masks(logical_or, "|")
differ = on_masks(logical_xor, "^")


# of several entries ------------------------------------------------------------------------------


class Answer(Discrete):
    """The shape rule of any and all."""

    def infer(x, *, axis, keepdims):
        return Spec(reduced_shape(x.shape, axis, keepdims), np.dtype(bool))


class Any(Answer):
    """Compute z = (some entry over `axis` is not 0).

    >>> mg.any([[True, False], [False, False]], axis=1)
    array([ True, False])
    """

    says = "{z} says whether any number of {x} over {over} is not 0."

    def compute(x, *, axis, keepdims, out=None):
        return np.logical_or.reduce(x, axis, keepdims=keepdims, out=out)


class All(Answer):
    """Compute z = (no entry over `axis` is 0).

    >>> mg.all([[True, False], [True, True]], axis=1)
    array([False,  True])
    """

    says = "{z} says whether all numbers of {x} over {over} are not 0."

    def compute(x, *, axis, keepdims, out=None):
        return np.logical_and.reduce(x, axis, keepdims=keepdims, out=out)


any = reduction(Any)
all = reduction(All)
