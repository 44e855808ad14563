"""Every op, one class each, in families; a family uses only those above it."""

from minigrad.ops.elementwise import (
    abs, add, cast, clip, cos, div, equal, exp, floor, greater, greater_equal, less, less_equal,
    log, maximum, minimum, mul, negate, not_equal, power, relu, sigmoid, sign, sin, softplus,
    sqrt, sub, tanh, where,
)
from minigrad.ops.shape import (
    broadcast_to, expand_dims, flip, reshape, squeeze, transpose,
)
from minigrad.ops.reduce import argmax, logsumexp, max, mean, min, sum, var
from minigrad.ops.index import concatenate, getitem, pad, stack
from minigrad.ops.linalg import einsum, matmul
from minigrad.ops.nn import (
    conv2d, cross_entropy, log_softmax, max_pool2d, mse, softmax, windows,
)

__all__ = [name for name in dir() if not name.startswith("_")]
