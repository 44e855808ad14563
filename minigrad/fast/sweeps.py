"""The rules of ops on raw arrays, for the two sweeps of Tensors: what `autodiff.contributions` and
`autodiff.tangent_of` do, in the least time.

An elementwise op whose operands are alike is what most steps are, and on small arrays a call
costs as much as the arithmetic: so such rules are applied here without the calls around them.
"""

from minigrad.core import autodiff
from minigrad.core.autodiff import fit_cotangent
from minigrad.core.op import Op, OpType, contiguous
from minigrad.core.ops import FAMILIES
from minigrad.core.ops.elementwise import Keep, Relu
from minigrad.core.ops.nn import CrossEntropy, OneHot, Softmax
from minigrad.core.ops.precision import working_dtype
from minigrad.core.ops.reduce import Sum
from minigrad.dynamic.tensor import ARRAY_RULES, numbers_of

SAME, OPPOSITE = 1, -1  # the partials that need no arithmetic
PULLS = {}  # op of ours with partials or rules for its operands → its contributions
PUSHES = {}  # such an op → its tangent


def install():
    """Puts these rules in the places of those that the sweeps have."""
    for family in FAMILIES:
        for op in vars(family).values():
            partials = vars(op).get("partials") if isinstance(op, OpType) else None
            if partials and all(partials) and len(partials) < 3:
                PULLS[op] = (pull_unary if len(partials) == 1 else pull_binary)(*partials)
                PUSHES[op] = (push_unary if len(partials) == 1 else push_binary)(*partials)
            elif isinstance(op, OpType) and op.pullback.__func__ is Op.pullback.__func__:
                PULLS[op] = pull_each(op.vjp)
            elif isinstance(op, OpType) and "masks" in vars(op):
                PULLS[op] = pull_each(op.masks)
    PULLS[Relu], PULLS[CrossEntropy] = pull_each(ON_RELU), pull_each(ON_CROSS_ENTROPY)
    ARRAY_RULES.update(pull=quick_contributions, push=quick_tangent)


# reverse mode ------------------------------------------------------------------------------------


def quick_contributions(z, z_bar, path, values):
    """[(input on the path, its share of z's cotangent)]."""
    quick = None if z.params else PULLS.get(z.op)
    if quick is None:
        return autodiff.contributions(z, contiguous(z_bar), path, values) if z.inputs else ()
    return quick(z, z_bar, path)


def pull_unary(p):
    """What z = op(x) passes on, where p is ∂z/∂x."""

    def pull(z, z_bar, path):
        (x,) = z.inputs
        if x.order not in path:
            return ()
        x_bar = z_bar if p is SAME else -z_bar if p is OPPOSITE else z_bar * p(x.array, z.array)
        return ((x, x_bar),)

    return pull


def pull_binary(p, q):
    """What z = op(x, y) passes on, where p is ∂z/∂x and q is ∂z/∂y."""

    def pull(z, z_bar, path):
        x, y = z.inputs
        v, w, value = x.array, y.array, z.array
        if v.dtype is not w.dtype:
            return autodiff.contributions(z, contiguous(z_bar), path, numbers_of)
        if v.shape != w.shape:  # what is summed must lie row by row
            v, w, value, z_bar = contiguous(v), contiguous(w), contiguous(value), contiguous(z_bar)
        passed = []
        for t, u, r in ((x, v, p), (y, w, q)):
            if t.order in path:
                t_bar = z_bar if r is SAME else -z_bar if r is OPPOSITE else z_bar * r(v, w, value)
                passed.append((t, t_bar if t_bar.shape == u.shape else sum_broadcast(t_bar, u)))
        return passed

    return pull


def sum_broadcast(x_bar, x):
    """What fit_cotangent gives; the sum over rows, as for a bias, without the calls around it."""
    if x_bar.ndim == 2 and x_bar.shape[1:] == x.shape and x_bar.dtype is x.dtype:
        return Sum.compute(contiguous(x_bar), axis=(0,), keepdims=False)
    return fit_cotangent(x_bar, x)


def pull_each(rules):
    """What z passes on, by the rules of an op, one for each operand."""

    def pull(z, z_bar, path):
        inputs, passed = z.inputs, []
        xs, value, z_bar = (
            [contiguous(x.array) for x in inputs],
            contiguous(z.array),
            contiguous(z_bar),
        )
        for x, v, rule in zip(inputs, xs, rules):
            if rule and x.order in path:
                x_bar = rule(*xs, value, z_bar)
                if x_bar.shape != v.shape or x_bar.dtype is not v.dtype:
                    x_bar = fit_cotangent(x_bar, v)
                passed.append((x, x_bar))
        return passed

    return pull


# rules of often used ops, written out for arrays
ON_RELU = (lambda x, z, v: Keep.compute(x <= 0, v, when=False),)


def pull_cross_entropy(x, labels, z, z_bar):
    """(softmax - one-hot) / n times the cotangent."""
    x = x.astype(working_dtype(x.dtype), copy=False)
    return (Softmax.compute(x, axis=1) - OneHot.compute(labels, x)) / len(x) * z_bar


ON_CROSS_ENTROPY = (pull_cross_entropy, None)


# forward mode ------------------------------------------------------------------------------------


def quick_tangent(z, tangents, values):
    """The tangent of z, from those of its inputs; None where none reaches it."""
    quick = None if z.params else PUSHES.get(z.op)
    return autodiff.tangent_of(z, tangents, values) if quick is None else quick(z, tangents, values)


def push_unary(p):
    """The tangent of z = op(x), where p is ∂z/∂x."""

    def push(z, tangents, values):
        (x,) = z.inputs
        x_dot = tangents.get(x.order)
        if x_dot is None or p is SAME:
            return x_dot
        return -x_dot if p is OPPOSITE else x_dot * p(x.array, z.array)

    return push


def push_binary(p, q):
    """The tangent of z = op(x, y), where p is ∂z/∂x and q is ∂z/∂y."""

    def push(z, tangents, values):
        x, y = z.inputs
        v, w = x.array, y.array
        if v.shape != w.shape or v.dtype is not w.dtype:
            return autodiff.tangent_of(z, tangents, values)
        z_dot = None
        for t, r in ((x, p), (y, q)):
            t_dot = tangents.get(t.order)
            if t_dot is not None:
                part = t_dot if r is SAME else -t_dot if r is OPPOSITE else t_dot * r(v, w, z.array)
                z_dot = part if z_dot is None else z_dot + part
        return z_dot

    return push
