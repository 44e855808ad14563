"""Computation graphs and automatic differentiation, with a dynamic and a static engine."""

import os
import typing
from importlib import import_module

from minigrad.core.errors import (
    ArgumentError, DtypeError, FeedError, FileError, GradientError, GraphError, MinigradError,
    MissingError, ShapeError, UsageError,
)  # fmt: skip

# both engines
from minigrad.core.spec import float16, float32, float64, int32, int64
from minigrad.core.ops import (
    abs, all, any, argmax, argmin, argsort, atleast_1d, atleast_2d, broadcast_to, cast, clip,
    concatenate, conv2d, cos, cross_entropy, cumsum, diag, dot, einsum, ensure_shape, equal, exp,
    expand_dims, expm1, flip, floor, floor_divide, greater, greater_equal, hstack, isfinite, isinf,
    isnan, less, less_equal, log, log1p, log_softmax, logaddexp, logical_and, logical_not,
    logical_or, logical_xor, logsumexp, matmul, max, max_pool2d, maximum, mean, min, minimum, mse,
    not_equal, one_hot, outer, pad, prod, relu, remainder, repeat, reshape, roll, round, sigmoid,
    sign, sin, softmax, softplus, softsign, sort, sqrt, square, squeeze, stack, std, sum, take,
    take_along_axis, tanh, tile, transpose, var, vstack, where, windows,
)  # fmt: skip
from minigrad.core.autodiff import forward_gradients, gradients
from minigrad.core.modes import composite, enable_grad, keep_lines, no_grad, open_graph, plain
from minigrad.dynamic.checkpoint import checkpoint
from minigrad.dynamic.tensor import Tensor, tensor
from minigrad.dynamic.transform import elementwise_grad, grad, hvp, jvp, value_and_grad, vjp
from minigrad.static.graph import (
    Graph, Node, Variable, constant, default_graph, name_scope, placeholder, run_index,
)  # fmt: skip
from minigrad.static.statements import (
    assign,
    assign_add,
    assign_sub,
    control_dependencies,
    group,
    print_,
)
from minigrad.static.session import Executable, Session

# built on them
from minigrad.core import stepwise
from minigrad.core.hints import missing
from minigrad.static.compile import compile
from minigrad.static.control import cond, scan, while_loop
from minigrad.core.custom import custom_op
from minigrad.dynamic.lazy import lazy
from minigrad.dynamic.creation import (
    arange, eye, full, full_like, linspace, ones, ones_like, zeros, zeros_like,
)  # fmt: skip
from minigrad.dynamic.random import dropout, random_normal, random_uniform
from minigrad.dynamic.jacobians import hessian, jacobian
from minigrad.static.function.function import function
from minigrad.static import pickling  # noqa: F401  tells pickle of graphs and sessions
from minigrad import nn
from minigrad.nn import data, optim

# tools
from minigrad.draw import draw

# Resolved on first use: drawing, files and measures are half of the package.
ON_FIRST_USE = {
    "files": "minigrad.files", "from_bytes": "minigrad.files", "from_config": "minigrad.files",
    "gradcheck": "minigrad.measure.gradcheck", "load": "minigrad.files",
    "measure": "minigrad.measure", "player": "minigrad.draw.player", "plot": "minigrad.draw.plot",
    "save": "minigrad.files", "to_bytes": "minigrad.files",
}  # fmt: skip

__all__ = [
    "ArgumentError", "DtypeError", "Executable", "FeedError", "FileError", "GradientError", "Graph",
    "GraphError", "MinigradError", "MissingError", "Node", "Session", "ShapeError", "Tensor",
    "UsageError", "Variable", "abs", "all", "any", "arange", "argmax", "argmin", "argsort",
    "assign", "assign_add", "assign_sub", "atleast_1d", "atleast_2d", "broadcast_to", "cast",
    "checkpoint",
    "clip", "compile", "composite", "concatenate", "cond", "constant", "control_dependencies",
    "conv2d", "cos", "cross_entropy", "cumsum", "custom_op", "data", "default_graph", "diag", "dot",
    "draw", "dropout", "einsum", "elementwise_grad", "enable_grad", "ensure_shape", "equal", "exp",
    "expand_dims", "expm1", "eye", "files", "flip", "float16", "float32", "float64", "floor",
    "floor_divide", "forward_gradients", "from_bytes", "from_config", "full", "full_like",
    "function", "grad", "gradcheck", "gradients", "greater", "greater_equal", "group", "hessian",
    "hstack", "hvp", "int32", "int64", "isfinite", "isinf", "isnan", "jacobian", "jvp",
    "keep_lines", "lazy", "less", "less_equal", "linspace", "load", "log", "log1p", "log_softmax",
    "logaddexp", "logical_and", "logical_not", "logical_or", "logical_xor", "logsumexp", "matmul",
    "max", "max_pool2d", "maximum", "mean", "measure", "min", "minimum", "mse", "name_scope", "nn",
    "no_grad", "not_equal", "one_hot", "ones", "ones_like", "open_graph", "optim", "outer", "pad",
    "placeholder", "plain", "player", "plot", "print_", "prod", "random_normal", "random_uniform",
    "relu", "remainder", "repeat", "reshape", "roll", "round", "run_index", "save", "scan",
    "sigmoid", "sign", "sin", "softmax", "softplus", "softsign", "sort", "sqrt", "square",
    "squeeze", "stack", "std", "stepwise", "sum", "take", "take_along_axis", "tanh", "tensor",
    "tile", "to_bytes", "transpose", "value_and_grad", "var", "vjp", "vstack", "where",
    "while_loop", "windows", "zeros", "zeros_like",
]  # fmt: skip

if typing.TYPE_CHECKING:
    from minigrad import files, measure  # as ON_FIRST_USE has it
    from minigrad.draw import plot
    from minigrad.draw.player import player
    from minigrad.files import from_bytes, from_config, load, save, to_bytes
    from minigrad.measure.gradcheck import gradcheck
else:

    def __getattr__(name: str) -> object:
        """Import what is resolved on first use, or say what to write for a name from elsewhere."""
        if name not in ON_FIRST_USE:
            raise missing(name, __all__)
        place = import_module(ON_FIRST_USE[name])
        found = vars(place).get(name, place)  # what is in the module, or the module
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """The public names, those that are resolved on first use among them."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


# shortcuts
if not os.environ.get("MINIGRAD_PLAIN"):
    from minigrad.fast import install

    install()
