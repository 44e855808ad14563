"""The rules of ops on raw arrays, for the two sweeps of Tensors: what `autodiff.contributions` and
`autodiff.tangent_of` do, in the least time.

An elementwise op whose operands are alike is what most steps are, and on small arrays a call
costs as much as the arithmetic: so such rules are applied here without the calls around them.
"""

import inspect

import numpy as np

from minigrad.core.autodiff import fit_cotangent, fit_tangent, tangent_of
from minigrad.core.op import Op, OpType, contiguous
from minigrad.core.ops import FAMILIES
from minigrad.core.ops.elementwise import Keep, Relu
from minigrad.core.ops.nn import CrossEntropy, OneHot, Softmax
from minigrad.core.ops.precision import HALF, working_dtype
from minigrad.dynamic.tensor import QUICK_PULLS, QUICK_PUSHES, array_contributions, numbers_of

SAME, OPPOSITE = 1, -1  # the partials that need no arithmetic


def install():
    """Gives the sweeps of Tensors the rules of ops of ours that have no parameters."""
    for op in [op for family in FAMILIES for op in vars(family).values() if isinstance(op, OpType)]:
        partials = vars(op).get("partials")
        if takes_parameters(op):
            continue
        if partials and all(partials) and len(partials) < 3:
            unary = len(partials) == 1
            QUICK_PULLS[op] = (pull_unary if unary else pull_binary)(*partials)
            QUICK_PUSHES[op] = (push_unary if unary else push_binary)(*partials)
        elif op.pullback.__func__ is Op.pullback.__func__:
            QUICK_PULLS[op], QUICK_PUSHES[op] = pull_each(op, op.vjp), push_each(op)
        elif "masks" in vars(op):
            QUICK_PULLS[op] = pull_each(op, op.masks)
    QUICK_PULLS[Relu] = pull_each(Relu, ON_RELU)
    QUICK_PULLS[CrossEntropy] = pull_each(CrossEntropy, ON_CROSS_ENTROPY)


def takes_parameters(op):
    """Whether an op has more than operands: then its rules need it, too."""
    if not inspect.isfunction(getattr(op, "compute", None)):
        return False
    parameters = inspect.signature(op.compute).parameters.values()
    return any(one.kind is one.KEYWORD_ONLY or one.kind is one.VAR_KEYWORD for one in parameters)


# reverse mode ------------------------------------------------------------------------------------


def pull_unary(p):
    """What z = op(x) passes on, where p is ∂z/∂x."""

    def pull(z, z_bar, path, values):
        (x,) = z.inputs
        order = x.order
        if order not in path:
            return ()
        x_bar = z_bar if p is SAME else -z_bar if p is OPPOSITE else z_bar * p(x.array, z.array)
        return ((order, x_bar),)

    return pull


def pull_binary(p, q):
    """What z = op(x, y) passes on, where p is ∂z/∂x and q is ∂z/∂y."""
    reads_z = callable(p) or callable(q)

    def pull(z, z_bar, path, values):
        x, y = z.inputs
        v, w, passed = x.array, y.array, []
        if v.shape != w.shape or v.dtype is not w.dtype:
            return pull_broadcast(z, z_bar, path, ((x, p), (y, q)))
        value = z.array if reads_z else None
        order = x.order
        if order in path:
            x_bar = z_bar if p is SAME else -z_bar if p is OPPOSITE else z_bar * p(v, w, value)
            passed.append((order, x_bar))
        order = y.order
        if order in path:
            y_bar = z_bar if q is SAME else -z_bar if q is OPPOSITE else z_bar * q(v, w, value)
            passed.append((order, y_bar))
        return passed

    return pull


def pull_broadcast(z, z_bar, path, rules):
    """What z = op(x, y) passes on to operands that differ in shape or dtype; `rules` are the pairs
    (operand, partial)."""
    v, w = [x.array for x in z.inputs]
    if v.dtype is not w.dtype:
        return array_contributions(z, z_bar, path, numbers_of)
    z_bar, passed = contiguous(z_bar), []  # what is summed must lie row by row
    for x, p in rules:
        if x.order not in path:
            continue
        if p is SAME or p is OPPOSITE:
            x_bar = z_bar if p is SAME else -z_bar
        else:
            x_bar = z_bar * p(contiguous(v), contiguous(w), contiguous(z.array))
        numbers = x.array
        x_bar = x_bar if x_bar.shape == numbers.shape else sum_broadcast(x_bar, numbers)
        passed.append((x.order, x_bar))
    return passed


def sum_broadcast(x_bar, x):
    """What fit_cotangent gives; the sum over rows, as for a bias, without the calls around it."""
    dtype = x_bar.dtype
    if x_bar.ndim == 2 and x_bar.shape[1:] == x.shape and dtype is x.dtype and dtype != HALF:
        return np.add.reduce(contiguous(x_bar), 0)
    return fit_cotangent(x_bar, x)


def pull_each(op, rules):
    """What z passes on, by the rules of an op, one for each operand."""
    reads_z = "z" in op.values_read((True,) * len(rules))

    def pull(z, z_bar, path, values):
        inputs, value, passed = z.inputs, z.array, []
        xs, z_bar = [contiguous(x.array) for x in inputs], contiguous(z_bar)
        if reads_z:
            value = contiguous(value)
        for x, v, rule in zip(inputs, xs, rules):
            if rule and x.order in path:
                x_bar = rule(*xs, value, z_bar)
                if x_bar.shape != v.shape or x_bar.dtype is not v.dtype:
                    x_bar = fit_cotangent(x_bar, v)
                passed.append((x.order, x_bar))
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
            return tangent_of(z, tangents, values)
        z_dot = None
        for t, r in ((x, p), (y, q)):
            t_dot = tangents.get(t.order)
            if t_dot is not None:
                part = t_dot if r is SAME else -t_dot if r is OPPOSITE else t_dot * r(v, w, z.array)
                z_dot = part if z_dot is None else z_dot + part
        return z_dot

    return push


def push_each(op):
    """The tangent of z, by the rules of its op, one for each operand."""
    rules = op.jvp

    def push(z, tangents, values):
        if z.dtype.kind != "f":
            return None
        z_dot, xs, value = None, [contiguous(x.array) for x in z.inputs], contiguous(z.array)
        for x, rule in zip(z.inputs, rules):
            x_dot = tangents.get(x.order)
            if rule and x_dot is not None:
                part = rule(*xs, value, x_dot)
                z_dot = part if z_dot is None else z_dot + part
        return None if z_dot is None else fit_tangent(z_dot, z)

    return push
