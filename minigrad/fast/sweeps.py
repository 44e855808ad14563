"""The sweeps of Tensors on raw arrays: what those of `autodiff` do, in the least time.

A derivative that nobody differentiates again needs no Tensors: the same rules run on arrays.
An elementwise op whose operands are alike is what most steps are, and on small arrays a call
costs as much as the arithmetic: so such rules are applied here without the calls around them.
"""

from operator import attrgetter

import numpy as np

from minigrad.core import autodiff
from minigrad.core.autodiff import fill_gap, fit_cotangent, fit_tangent
from minigrad.core.modes import mode, no_grad
from minigrad.core.op import Op, OpType, Value, in_rows
from minigrad.core.ops import FAMILIES
from minigrad.core.ops.elementwise import Keep, Relu
from minigrad.core.ops.nn import CrossEntropy, OneHot, Softmax
from minigrad.core.spec import is_float
from minigrad.dynamic.tensor import Tensor, changes, forget_inputs, new_leaves
from minigrad.dynamic.transform import FunctionCall

SAME, OPPOSITE = 1, -1  # the partials that need no arithmetic
by_order = attrgetter("order")
PULLS = {}  # op of ours with partials or rules for its operands → what passes on its cotangent
PUSHES = {}  # such an op of several operands, or with rules → what sets its tangent
SLOPES = {}  # op of ours with a partial for its one operand → that partial
plainly = {}  # what stood where the functions of this file stand now


def install():
    """Puts these sweeps in the places of those that the book has."""
    for family in FAMILIES:
        for op in vars(family).values():
            partials = vars(op).get("partials") if isinstance(op, OpType) else None
            if partials and all(partials) and len(partials) < 3:
                PULLS[op] = (pull_unary if len(partials) == 1 else pull_binary)(*partials)
                if len(partials) == 1:
                    SLOPES[op] = partials[0]
                else:
                    PUSHES[op] = push_binary(*partials)
            elif isinstance(op, OpType) and op.pullback.__func__ is Op.pullback.__func__:
                PULLS[op], PUSHES[op] = pull_each(op.vjp), push_each(op.jvp)
            elif isinstance(op, OpType) and "chosen" in vars(op):
                PULLS[op], PUSHES[op] = pull_each(op.chosen), push_each(op.chosen)
    PULLS[Relu], PULLS[CrossEntropy] = pull_each(ON_RELU), pull_each(ON_CROSS_ENTROPY)
    plainly["pull_back"], Tensor.pull_back = Tensor.pull_back, staticmethod(pull_back)
    quick = {"x_bars": x_bars, "y_dots": y_dots, "released": release_history}
    for name, function in quick.items():
        plainly[name] = getattr(FunctionCall, name)
        setattr(FunctionCall, name, function)


# reverse mode of Tensors -------------------------------------------------------------------------


def pull_back(ys, y_bars, keep):
    """[(value, its cotangent as an array)] of all that keeps its gradient."""
    if mode().plain:
        return plainly["pull_back"](ys, y_bars, keep)
    path, adjoints = walk_remembered(ys)
    adjoints |= autodiff.sum_pairs((y.order, y_bar.data) for y, y_bar in zip(ys, y_bars))
    with no_grad():
        return reverse_arrays(path, adjoints, keep)


def walk_remembered(ys):
    """Every value that requires grad and that ys were computed from, ys included.

    Returns them in order of creation, and {order: None}, a place for the adjoint of each.
    Raises GradientError when one of them was given back, or is stale.
    """
    adjoints, latest = {y.order: None for y in ys}, changes.latest
    found = list({y.order: y for y in ys}.values())
    for z in found:  # it grows on the way
        if z.order < latest or not z.inputs:
            z.verify()
        for x in z.inputs:
            if x.tracked and x.order not in adjoints:
                adjoints[x.order] = None
                found.append(x if x.extra is None else x.held())
    found.sort(key=by_order)
    return found, adjoints


def reverse_arrays(path, adjoints, keep):
    """[(value, cotangent)] of all that keeps its gradient.

    `path` lists values in order of creation; `adjoints` maps order → seed, or None, for each of
    them and for their inputs that require grad. Both are emptied on the way, and unless `keep`,
    values forget their inputs: memory falls while the sweep goes on.
    """
    found = []
    while path:
        z = path.pop()
        z_bar = adjoints.pop(z.order)
        if z_bar is None:
            continue
        op, extra = z.op, z.extra
        if extra:
            z_bar = z.run_hooks(z_bar) if extra.get("hooks") else z_bar
        if op is None or extra and extra.get("keeps_grad"):
            found.append((z, z_bar))
        if op is not None:
            pull = add_contributions if z.params else PULLS.get(op, add_contributions)
            pull(z, z_bar, adjoints)
        if not keep:
            if extra:
                forget_inputs(z)
            else:
                z.inputs = ()
    return found


def pull_unary(p):
    """A function that adds what z = op(x) passes on, where p is ∂z/∂x."""

    def pull(z, z_bar, adjoints):
        (x,) = z.inputs
        x_bar = z_bar if p is SAME else -z_bar if p is OPPOSITE else z_bar * p(x.data, z.data)
        before = adjoints[x.order]
        adjoints[x.order] = x_bar if before is None else before + x_bar

    return pull


def pull_binary(p, q):
    """A function that adds what z = op(x, y) passes on, where p is ∂z/∂x and q is ∂z/∂y."""

    def pull(z, z_bar, adjoints):
        x, y = z.inputs
        v, w, value = x.data, y.data, z.data
        if v.dtype is not w.dtype:
            add_contributions(z, z_bar, adjoints)
            return
        if v.shape != w.shape:  # what is summed must lie row by row
            v, w, value, z_bar = in_rows(v), in_rows(w), in_rows(value), in_rows(z_bar)
        for t, u, r in ((x, v, p), (y, w, q)):
            if t.tracked:
                t_bar = z_bar if r is SAME else -z_bar if r is OPPOSITE else z_bar * r(v, w, value)
                if t_bar.shape != u.shape:
                    t_bar = sum_broadcast(t_bar, u)
                before = adjoints[t.order]
                adjoints[t.order] = t_bar if before is None else before + t_bar

    return pull


def sum_broadcast(x_bar, x):
    """What fit_cotangent gives; the sum over rows, as for a bias, without the calls around it."""
    if x_bar.ndim == 2 and x_bar.shape[1:] == x.shape and x_bar.dtype is x.dtype:
        return np.add.reduce(in_rows(x_bar), (0,))
    return fit_cotangent(x_bar, x)


def pull_each(rules):
    """A function that adds what z passes on, by the rules of an op, one for each operand."""

    def pull(z, z_bar, adjoints):
        inputs, params = z.inputs, z.params
        xs, value, z_bar = [in_rows(x.data) for x in inputs], in_rows(z.data), in_rows(z_bar)
        for x, v, rule in zip(inputs, xs, rules):
            if x.tracked and rule:
                x_bar = rule(*xs, value, z_bar, **params)
                if x_bar.shape != v.shape or x_bar.dtype is not v.dtype:
                    x_bar = fit_cotangent(x_bar, v)
                before = adjoints[x.order]
                adjoints[x.order] = x_bar if before is None else before + x_bar

    return pull


# rules of often used ops, written out for arrays
ON_RELU = (lambda x, z, v: Keep.compute(x > 0, v, when=True),)
ON_CROSS_ENTROPY = (
    lambda x, labels, z, z_bar: (
        (Softmax.compute(x, axis=1) - OneHot.compute(labels, x)) / len(x) * z_bar
    ),
    None,
)


def add_contributions(z, z_bar, adjoints):
    """Adds what z passes on to the adjoints of its inputs."""
    inputs, xs = z.inputs, [in_rows(x.data) for x in z.inputs]
    wanted = [x.tracked for x in inputs]
    x_bars = z.op.pullback(xs, in_rows(z.data), in_rows(z_bar), wanted, z.params)
    for x, v, x_bar in zip(inputs, xs, x_bars):
        if x.tracked and x_bar is not None:
            if x_bar.shape != v.shape or x_bar.dtype is not v.dtype:
                x_bar = fit_cotangent(x_bar, v)
            before = adjoints[x.order]
            adjoints[x.order] = x_bar if before is None else before + x_bar


def forward_arrays(path, tangents):
    """Fills `tangents`, order → tangent, for the values of `path`, from the seeds it holds."""
    for z in path:
        if z.op in SLOPES and not z.params:
            (x,), p = z.inputs, SLOPES[z.op]
            x_dot = tangents.get(x.order)
            if x_dot is not None:
                tangents[z.order] = (
                    x_dot if p is SAME else -x_dot if p is OPPOSITE else x_dot * p(x.data, z.data)
                )
        elif z.op is not None and is_float(z.data.dtype):
            PUSHES.get(z.op, push_forward)(z, tangents)
    return tangents


def push_binary(p, q):
    """A function that sets the tangent of z = op(x, y), where p is ∂z/∂x and q is ∂z/∂y."""

    def push(z, tangents):
        x, y = z.inputs
        v, w = x.data, y.data
        if v.shape != w.shape or v.dtype is not w.dtype or z.params:
            push_forward(z, tangents)
            return
        z_dot = None
        for t, r in ((x, p), (y, q)):
            t_dot = tangents.get(t.order)
            if t_dot is not None:
                part = t_dot if r is SAME else -t_dot if r is OPPOSITE else t_dot * r(v, w, z.data)
                z_dot = part if z_dot is None else z_dot + part
        if z_dot is not None:
            tangents[z.order] = z_dot

    return push


def push_each(rules):
    """A function that sets the tangent of z, by the rules of its op, one for each operand."""

    def push(z, tangents):
        inputs, z_dot = z.inputs, None
        xs, value = [in_rows(x.data) for x in inputs], in_rows(z.data)
        for x, rule in zip(inputs, rules):
            x_dot = tangents.get(x.order)
            if x_dot is not None and rule:
                part = rule(*xs, value, in_rows(x_dot), **z.params)
                z_dot = part if z_dot is None else z_dot + part
        if z_dot is not None:
            tangents[z.order] = fit_tangent(z_dot, z.data)

    return push


def push_forward(z, tangents):
    """Sets the tangent of z, from those of its inputs."""
    x_dots = [in_rows(tangents.get(x.order)) for x in z.inputs]
    xs = [in_rows(x.data) for x in z.inputs]
    z_dot = z.op.pushforward(xs, in_rows(z.data), x_dots, z.params)
    if z_dot is not None:
        tangents[z.order] = fit_tangent(z_dot, z.data)


# derivatives of functions ------------------------------------------------------------------------


def x_bars(call, seeds):
    """The cotangents of a call's arguments; on arrays, where no outer derivative goes through."""
    if not can_end_here(call, seeds):
        return plainly["x_bars"](call, seeds)
    y_bars = seed_arrays(call.ys, seeds, "grad_ys", autodiff.ones_for)
    path = verified_path(call)
    adjoints = dict.fromkeys([v.order for z in path for v in (z, *z.inputs) if v.tracked])
    adjoints |= autodiff.sum_pairs(zip([y.order for y in call.ys], y_bars))
    found = {z.order: z_bar for z, z_bar in reverse_arrays(path, adjoints, keep=True)}
    own = dict(zip(found, new_leaves(found.values(), seeds or ())))
    call.free = [own[x.order] if x.order in own else fill_gap(x, call.ys, "zero") for x in call.xs]
    return call.free


def y_dots(call, tangents):
    """The tangents of a call's results; on arrays, where no outer derivative goes through."""
    if not can_end_here(call, tangents):
        return plainly["y_dots"](call, tangents)
    x_dots = seed_arrays(call.xs, tangents, "tangents", None)
    found = forward_arrays(verified_path(call), dict(zip([x.order for x in call.xs], x_dots)))
    reached = [y.order for y in call.ys if y.order in found]
    own = iter(new_leaves([found[order] for order in reached], tangents))
    call.free = [next(own) if y.order in found else fill_gap(y, call.xs, "zero") for y in call.ys]
    return call.free


def seed_arrays(values, seeds, what, default):
    """The arrays of seeds for Tensors; those that fit as they are need no look at their lengths."""
    if type(seeds) is list and len(seeds) == len(values):
        pairs = zip(seeds, values)
        if all([type(s) is Tensor and s.shape == v.shape and s.dtype is v.dtype for s, v in pairs]):
            return [s.data for s in seeds]
    return [seed.data for seed in autodiff.seed_values(values, seeds, what, default)]


def release_history(call, values):
    """The values without their history; of results, a call that is closed lets all go.

    Derivatives that were computed on arrays, `call.free`, have none.
    """
    if values is getattr(call, "free", None):
        return values
    if values is not call.ys or mode().plain or closed_path(call) is None:
        return plainly["released"](call, values)
    return [v.detach() for v in values]


def can_end_here(call, seeds):
    """True when no outer derivative can go through a call: its rules may run on arrays."""
    if mode().plain or closed_path(call) is None:
        return False
    return not any(
        isinstance(s, Value) and (not isinstance(s, Tensor) or call.attached and s.requires_grad)
        for s in seeds or ()
    )


def closed_path(call):
    """The values from xs to ys; None where something else that can be differentiated is met."""
    if not hasattr(call, "path"):
        call.path = find_path(call)
    return call.path


def verified_path(call):
    """A closed call's path as a new list. Raises GradientError when a value on it is stale."""
    latest = changes.latest
    for z in call.path:
        if z.order < latest or not z.inputs:
            z.verify()
    return list(call.path)


def find_path(call):
    """The values from xs to ys, looked for."""
    now = mode()
    dynamic = all([isinstance(v, Tensor) for v in (*call.xs, *call.ys)])
    if not dynamic or now.tracing or now.lazy or any([x.op for x in call.xs]):
        return None
    if not call.attached:
        return list(autodiff.between(call.xs, call.ys).values())
    path, _ = walk_remembered([y for y in call.ys if y.tracked])
    mine = {x.order for x in call.xs}
    return None if any([v.op is None and v.order not in mine for v in path]) else path
