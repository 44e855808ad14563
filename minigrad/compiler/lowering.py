"""How ops are spelled in generated source: quicker forms of a call that give the same bits."""

import numpy as np

from minigrad.compiler.layout import is_contiguous, owner_of
from minigrad.compiler.memory import nbytes
from minigrad.core.ops import elementwise as e
from minigrad.core.ops.linalg import Matmul
from minigrad.core.ops.precision import working_dtype
from minigrad.core.ops.reduce import Max, Sum
from minigrad.core.ops.shape import ExpandDims, Reshape, Squeeze, Transpose
from minigrad.static.graph import PlaceholderOp

FLOATS = (np.float32, np.float64)
COUNTED = (e.Add, e.Sub, e.Equal, e.NotEqual, e.Less, e.LessEqual, e.Greater, e.GreaterEqual)
RESHAPE_CALLS = (ExpandDims, Reshape, Squeeze)
SPELT = {Transpose, *RESHAPE_CALLS, Sum, Max, e.Relu, Matmul}  # the ops of arrays with another form
REDUCED = {Sum: "add_reduce", Max: "maximum_reduce"}
BY_NAME = {
    "add_reduce": np.add.reduce,
    "maximum_reduce": np.maximum.reduce,
    "maximum": np.maximum,
    "zero_float32": np.zeros((), np.float32),
    "zero_float64": np.zeros(()),
}


def has_own_sign(op):
    """True for an op that Python's own operator computes, with the same bits: +, ==, -x."""
    return op.builtin and op.layout_invariant and (op.sign is not None or op is e.Neg)


def is_on_numbers(node):
    """True for what NumPy's scalars compute in a tenth of a ufunc's time: one float type.

    So are the counters of loops, int64, where they are added up and compared. (Of single numbers
    NumPy says when an int64 overflows, which it does not of arrays; the bits are the same.)
    """
    first, *others = node.inputs
    if any(x.shape != () or x.dtype != first.dtype for x in node.inputs):
        return False
    if first.dtype == np.int64:
        return node.op in COUNTED
    quick = has_own_sign(node.op) or isinstance(node.op.compute, np.ufunc) and not others
    return quick and first.dtype in FLOATS


def lower_call(scope, node, out):
    """The call of a node, into `out` or None, as text; None where no quicker form is known.

    Methods, and reductions by position, save the time in which NumPy's functions sort out their
    arguments. `dot` is the routine behind matmul without the ufunc around it: it calls BLAS with
    the same arguments for operands that lie in one piece, and rounds differently for others.
    """
    if node.shape == () and is_on_numbers(node):
        numbers = [scope.scalar_name(x) for x in node.inputs]
        if has_own_sign(node.op):
            return node.op.formula.format(*numbers)
        return scope.call_text(node, numbers, out)
    if node.op not in SPELT:
        return None
    names = [scope.name(x) for x in node.inputs]
    if node.op is Transpose:
        axes = node.params["axes"]
        return f"{names[0]}.T" if axes == (1, 0) else f"{names[0]}.transpose({axes})"
    if node.op in RESHAPE_CALLS and is_contiguous(node.inputs[0]):
        return f"{names[0]}.reshape({node.shape})"
    rounds = node.op is Sum and working_dtype(node.dtype) != node.dtype
    if node.op in REDUCED and not rounds and (out is None or is_contiguous(node.inputs[0])):
        axis, keepdims = node.params["axis"], node.params["keepdims"]
        return f"{REDUCED[node.op]}({names[0]}, {axis}, None, {out}, {keepdims})"
    if node.op is e.Relu and node.dtype in FLOATS:  # a Python 0 would first become an array
        return f"maximum({names[0]}, zero_{node.dtype}, out={out})"
    if node.op is Matmul and is_product_of_pieces(node):
        return f"{names[0]}.dot({names[1] if out is None else f'{names[1]}, {out}'})"
    return None


def is_product_of_pieces(node):
    """True for a product of two matrices, each in one piece, or the transpose of such.

    For single rows and columns, and for a matrix and its own transpose, `dot` has ways of its own,
    which round otherwise.
    """
    x, y = map(owner_of, node.inputs)
    fed = x.op is y.op is PlaceholderOp and nbytes(x) == nbytes(y)  # perhaps one array for both
    if x is y or fed or node.dtype not in FLOATS or any(v.dtype != node.dtype for v in node.inputs):
        return False
    matrices = all(len(v.shape) == 2 and 1 not in v.shape for v in node.inputs)
    return matrices and all(
        is_contiguous(v.inputs[0] if v.op is Transpose else v) for v in node.inputs
    )
