"""Every op, one class each, in families; a family uses only those above it."""

from minigrad.core.op import OpType
from minigrad.core.ops import (
    arrange, elementwise, index, linalg, logic, nn, product, random, reduce, shape,
)
from minigrad.core.ops.elementwise import (
    abs, add, cast, clip, cos, div, equal, exp, expm1, floor, floor_divide, greater,
    greater_equal, less, less_equal, log, log1p, logaddexp, maximum, minimum, mul, negate,
    not_equal, power, relu, remainder, round, sigmoid, sign, sin, softplus, softsign, sqrt, square,
    sub, tanh, where,
)
from minigrad.core.ops.shape import (
    broadcast_to, ensure_shape, expand_dims, flip, reshape, squeeze, transpose,
)
from minigrad.core.ops.reduce import argmax, argmin, logsumexp, max, mean, min, std, sum, var
from minigrad.core.ops.product import cumsum, prod
from minigrad.core.ops.logic import (
    all, any, isfinite, isinf, isnan, logical_and, logical_not, logical_or, logical_xor,
)
from minigrad.core.ops.index import concatenate, getitem, pad, stack
from minigrad.core.ops.arrange import (
    argsort, atleast_1d, atleast_2d, diag, hstack, outer, repeat, roll, sort, take,
    take_along_axis, tile, vstack,
)
from minigrad.core.ops.linalg import dot, einsum, matmul
from minigrad.core.ops.nn import (
    conv2d, cross_entropy, log_softmax, max_pool2d, mse, one_hot, softmax, windows,
)

FAMILIES = (elementwise, shape, reduce, product, logic, index, arrange, linalg, nn, random)
for family in FAMILIES:
    for op in vars(family).values():
        if isinstance(op, OpType):
            op.builtin = True
del family, op

__all__ = [name for name in dir() if not name.startswith("_") and name != "FAMILIES"]
