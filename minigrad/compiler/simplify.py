"""Algebraic simplification: equations that make terms smaller.

SAFE rules give the same bits for every input, NaN, ±inf and ±0 included; FAST rules do not, and
each names a witness. Every rule also needs equal shape and dtype on both sides.
"""

import math

import numpy as np

from minigrad.compiler.rewrite import applied_to, apply_op, breaks, rewrite_program, rule
from minigrad.core import ops
from minigrad.core.op import ZerosLike, bind
from minigrad.core.ops.elementwise import Cast, Detach, Div, Identity, Mul
from minigrad.core.ops.index import Iota
from minigrad.core.ops.reduce import Count, Sum
from minigrad.core.ops.shape import (
    BroadcastLike,
    BroadcastTo,
    Reshape,
    ReshapeLike,
    Transpose,
)
from minigrad.core.spec import broadcast_shapes, is_float
from minigrad.static.graph import ConstantOp
from minigrad.static.program import emit_constant


def simplify(program, options=None):
    """(program, notes): SAFE rules, and FAST ones when the options ask for them."""
    if options is not None and options.rules == "fast":
        return rewrite_program(program, SAFE + FAST, (*STRUCTURE, empty_sums))
    return rewrite_program(program, SAFE, STRUCTURE)


# safe --------------------------------------------------------------------------------------------

SAFE = []


def safe(function):
    """Adds a rule that is exact."""
    SAFE.append(rule(function))
    return function


@safe
def times_one(x):
    """x · 1 = x."""
    return x * 1, x


@safe
def one_times(x):
    """1 · x = x."""
    return 1 * x, x


@safe
def over_one(x):
    """x / 1 = x."""
    return x / 1, x


@safe
def minus_zero(x):
    """x - 0 = x."""
    return x - 0, x


@safe
def times_minus_one(x):
    """x · -1 = -x."""
    return x * -1, -x


@safe
def minus_one_times(x):
    """-1 · x = -x."""
    return -1 * x, -x


@safe
def minus_minus(x):
    """-(-x) = x."""
    return -(-x), x


@safe
def minus_negative(x, y):
    """x - (-y) = x + y."""
    return x - (-y), x + y


@safe
def plus_negative(x, y):
    """x + (-y) = x - y."""
    return x + (-y), x - y


@safe
def negative_plus(x, y):
    """-x + y = y - x."""
    return -x + y, y - x


@safe
def both_negative(x, y):
    """(-x)(-y) = x y."""
    return (-x) * (-y), x * y


@safe
def to_the_one(x):
    """x ** 1 = x."""
    return x**1.0, x


@safe
def to_the_whole_one(x):
    """x ** 1 = x."""
    return x**1, x


@safe
def squared(x):
    """x ** 2 = x · x."""
    return x**2, x * x


@safe
def squared_float(x):
    """x ** 2.0 = x · x."""
    return x**2.0, x * x


@safe
def absolute_negative(x):
    """|-x| = |x|."""
    return abs(-x), abs(x)


@safe
def relu_twice(x):
    """relu(relu(x)) = relu(x)."""
    return ops.relu(ops.relu(x)), ops.relu(x)


@safe
def larger_of_the_same(x):
    """max(x, x) = x."""
    return ops.maximum(x, x), x


@safe
def smaller_of_the_same(x):
    """min(x, x) = x."""
    return ops.minimum(x, x), x


@safe
def identity(x):
    """a copy for differentiation is the value itself."""
    return bind(Identity, x), x


@safe
def detached(x):
    """detach matters to derivatives only."""
    return bind(Detach, x), x


# fast: each changes bits on its witness ----------------------------------------------------------

FAST = []


def fast(function):
    """Adds a rule that is not exact."""
    FAST.append(rule(function))
    return function


@fast
@breaks(-0.0)
def plus_zero(x):
    """x + 0 = x: but -0.0 + 0 is 0.0."""
    return x + 0, x


@fast
@breaks(-0.0)
def zero_plus(x):
    """0 + x = x: but 0 + -0.0 is 0.0."""
    return 0 + x, x


@fast
@breaks(0.0)
def zero_minus(x):
    """0 - x = -x: but 0 - 0 is 0.0, not -0.0."""
    return 0 - x, -x


@fast
@breaks(math.inf)
def times_zero(x):
    """x · 0 = 0: but inf · 0 is NaN."""
    return x * 0, bind(ZerosLike, x)


@fast
@breaks(math.inf)
def minus_itself(x):
    """x - x = 0: but inf - inf is NaN."""
    return x - x, bind(ZerosLike, x)


@fast
@breaks(math.nan)
def over_itself(x):
    """x / x = 1: but NaN / NaN is NaN."""
    return x / x, x**0


@fast
@breaks(1000.0)
def log_of_exp(x):
    """ln(exp(x)) = x: but exp(1000) is inf."""
    return ops.log(ops.exp(x)), x


@fast
@breaks(1.0, 1.0)
def negative_difference(x, y):
    """-(x - y) = y - x: but -(1 - 1) is -0.0."""
    return -(x - y), y - x


@fast
@breaks(0.1, 0.2, 0.3)
def distribute(x, y, w):
    """x·w + y·w = (x + y)·w: but rounding differs."""
    return x * w + y * w, (x + y) * w


# structure: rules whose parameters depend on those of the pattern --------------------------------


@applied_to(lambda op, *operands: op is Div and operands[1] is ConstantOp)
def halves(graph, node):
    """x / 2ᵏ = x · 2⁻ᵏ: exact, since scaling by a power of two only moves the exponent."""
    divisor = node.inputs[1].value
    if not is_float(divisor.dtype) or not np.all(np.isfinite(divisor)) or not np.all(divisor):
        return None
    inverse = (1 / divisor).astype(divisor.dtype)
    normal = np.isfinite(inverse) & (np.abs(inverse) >= np.finfo(inverse.dtype).tiny)
    if not np.all((np.abs(np.frexp(divisor)[0]) == 0.5) & normal):
        return None
    factor = emit_constant(graph, inverse, node)
    return apply_op(graph, Mul, [node.inputs[0], factor], {}, node), "x / 2ᵏ = x · 2⁻ᵏ"


@applied_to(lambda op, *_: op is Transpose)
def transposes(graph, node):
    """Two transposes are one; one that moves nothing is none."""
    x, axes = node.inputs[0], node.params["axes"]
    if axes == tuple(range(len(axes))):
        return x, "a transpose that moves no axis"
    if x.op is not Transpose:
        return None
    axes = tuple(x.params["axes"][a] for a in axes)
    return apply_op(graph, Transpose, x.inputs, {"axes": axes}, node), "two transposes are one"


CHAINS = {Reshape: "reshape", BroadcastTo: "broadcast"}  # ops that only state a shape


@applied_to(lambda op, *_: op in CHAINS)
def chains(graph, node):
    """Two reshapes are one, and one to the same shape is none; broadcasts likewise."""
    (x,), what = node.inputs, CHAINS[node.op]
    if node.shape == x.shape:
        return x, f"a {what} to the same shape"
    if x.op is not node.op:
        return None
    return apply_op(graph, node.op, x.inputs, {"shape": node.shape}, node), f"two {what}s are one"


@applied_to(lambda op, *operands: op.elementwise and BroadcastTo in operands)
def needless_broadcast(graph, node):
    """An elementwise op broadcasts by itself."""
    for i, x in enumerate(node.inputs):
        if x.op is BroadcastTo:
            inputs = [*node.inputs[:i], x.inputs[0], *node.inputs[i + 1 :]]
            if broadcast_shapes(*(v.shape for v in inputs)) == node.shape:
                new = apply_op(graph, node.op, inputs, node.params, node)
                return new, "the op broadcasts by itself"
    return None


KNOWN = (Count, Iota, ZerosLike)  # what looks at lengths alone
PLAIN = {BroadcastLike: BroadcastTo, ReshapeLike: Reshape}  # when the length is known


@applied_to(lambda op, *_: op in (*PLAIN, *KNOWN))
def known_lengths(graph, node):
    """What had to wait for a length is plain when the length is known; zeros need no x then."""
    if any(None in v.shape for v in (node, *node.inputs)):
        return None
    x = node.inputs[0]
    if node.op is ZerosLike:
        zero = emit_constant(graph, np.zeros((), node.dtype), node)
        new = apply_op(graph, BroadcastTo, [zero], {"shape": node.shape}, node)
        return new, "its shape is known"
    if node.op is Iota:
        places = Iota.compute(*node.inputs, **node.params)
        return emit_constant(graph, places, node), "its lengths are known"
    if node.op is Count:
        count = math.prod(x.shape[a] for a in node.params["axis"])
        return emit_constant(graph, np.asarray(count, node.dtype), node), "its shape is known"
    return apply_op(graph, PLAIN[node.op], [x], {"shape": node.shape}, node), "its shape is known"


@applied_to(lambda op, *_: op is Cast)
def needless_casts(graph, node):
    """A cast to the same dtype changes nothing."""
    if node.dtype == node.inputs[0].dtype:
        return node.inputs[0], "a cast to the same dtype"
    return None


@applied_to(lambda op, *_: op is Sum)
def empty_sums(graph, node):
    """A sum over no axes is x, but for -0.0, to which it adds 0.0: so only under the fast rules."""
    if not node.params["axis"]:
        return node.inputs[0], "a sum over no axis"
    return None


STRUCTURE = (halves, transposes, chains, needless_broadcast, known_lengths, needless_casts)
