"""Differentiation: one forward sweep and one reverse sweep, for both engines.

A sweep walks values by their `.op` and `.inputs` in order of creation, which is an order in which
every value comes after those it was computed from; no recursion, each value once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np

from minigrad.core.errors import ArgumentError, GradientError, ShapeError
from minigrad.core.op import Value, bind, has_shape_of
from minigrad.core.ops.elementwise import Identity, cast
from minigrad.core.ops.reduce import SumLike, sum_to
from minigrad.core.ops.shape import broadcast_like
from minigrad.core.signatures import OneOrSome, V
from minigrad.core.spec import is_float, rank_of, spec_of

ByOrder: TypeAlias = dict[int, Any]  # {order of a value: the value, or its derivative}
Read: TypeAlias = Callable[[Any], Any]  # a value → what the rules compute with
Pull: TypeAlias = Callable[..., Sequence[tuple[Any, ...]]]  # what one op passes on
NO_SHORTCUTS: Mapping[Any, Any] = {}

# which values a derivative passes through --------------------------------------------------------


def ancestors(ys: Iterable[Value]) -> list[Any]:
    """Every value that ys are computed from, ys included, in order of creation."""
    found = {y.order: y for y in ys}
    waiting = list(ys)
    while waiting:
        v = waiting.pop()
        v.verify()
        for x in v.inputs:
            if x.order not in found:
                found[x.order] = x = x.resolve()
                waiting.append(x)
    return [found[order] for order in sorted(found)]


def differentiable_path(xs: Iterable[Value], ys: Iterable[Value]) -> dict[int, Value]:
    """The values on differentiable paths from xs to ys, in order of creation: {order: value}."""
    down = {x.order for x in xs}
    path = []
    for v in ancestors(ys):
        if v.order in down or can_carry(v) and any(x.order in down for x in v.inputs):
            down.add(v.order)
            path.append(v)
    return {v.order: v for v in path}


def can_carry(v: Value) -> bool:
    """True when a derivative can pass from v's inputs to v."""
    return v.op is not None and v.op.differentiable and is_float(v.dtype)


# the two sweeps ----------------------------------------------------------------------------------


def itself(v: Value) -> Any:
    """What rules compute with, by default."""
    return v


def contributions(z: Value, z_bar: Any, path: ByOrder, values: Read) -> Sequence[tuple[Any, ...]]:
    """What z adds to the adjoints of its inputs on the path: pairs (their order, contribution)."""
    wanted = [x.order in path for x in z.inputs]
    if True not in wanted:
        return ()
    xs = [values(x) for x in z.inputs]
    with z.at_version():
        x_bars = z.op.pullback(xs, values(z), z_bar, wanted, z.params)
        stretchable = z.stretchable()
        return [
            (x.order, fit_cotangent(x_bar, v, i in stretchable))
            for i, (x, v, x_bar, want) in enumerate(zip(z.inputs, xs, x_bars, wanted))
            if want and x_bar is not None
        ]


def reverse_sweep(
    path: ByOrder,
    adjoints: ByOrder,
    values: Read = itself,
    pull: Pull = contributions,
    quick: Mapping[Any, Pull] = NO_SHORTCUTS,
    steps: bool = False,
) -> Iterator[tuple[Any, ...]]:
    """Walks `path` backwards, accumulates adjoints, and yields z, its adjoint, what it passes on.

    With `steps`, the third item lists (x, contribution, x's adjoint so far), one for each input on
    the path; without them it is empty. `adjoints` maps order → adjoint and holds the seeds. Entries
    leave both dicts as they are used, so that memory falls while the sweep goes on. `values(v)` is
    what the rules compute with: v itself, or its array. `pull` applies the rules of one op, and
    `quick` has functions for some ops that give the same in less time.
    """
    while path:
        order, z = path.popitem()
        z_bar = adjoints.pop(order, None)
        if z_bar is None:
            continue
        if z.extra and z.hooks:
            z_bar = z.run_hooks(z_bar)
        op, passed = z.op, []
        if op is not None:
            for at, x_bar in quick.get(op, pull)(z, z_bar, path, values):
                so_far = adjoints.get(at)
                adjoints[at] = x_bar if so_far is None else so_far + x_bar
                if steps:
                    passed.append((path[at], x_bar, adjoints[at]))
        yield z, z_bar, passed
        del z, z_bar, passed  # nothing is held while the next one is computed


def tangent_of(z: Value, tangents: ByOrder, values: Read) -> Any:
    """The tangent of z, from those of its inputs; None where none reaches it."""
    x_dots = [tangents.get(x.order) for x in z.inputs]
    if not can_carry(z) or all([x_dot is None for x_dot in x_dots]):
        return None
    with z.at_version():
        z_dot = z.op.pushforward([values(x) for x in z.inputs], values(z), x_dots, z.params)
        stretchable = z.stretchable()
        return z_dot if z_dot is None else fit_tangent(z_dot, z, bool(stretchable))


def forward_sweep(
    path: ByOrder, tangents: ByOrder, values: Read = itself, quick: Mapping[Any, Any] = NO_SHORTCUTS
) -> ByOrder:
    """Walks `path` forwards; fills `tangents`, order → tangent, from the seeds it holds.

    `values(v)` is what the rules compute with, as in `reverse_sweep`, and `quick` has functions for
    some ops that give what `tangent_of` does in less time.
    """
    for _ in walk_forward(path, tangents, values, quick):
        pass
    return tangents


def walk_forward(
    path: ByOrder, tangents: ByOrder, values: Read = itself, quick: Mapping[Any, Any] = NO_SHORTCUTS
) -> Iterator[tuple[Any, ...]]:
    """The steps of forward_sweep: yields z, its tangent, and (), as it passes nothing back."""
    for order, z in path.items():
        z_dot = quick.get(z.op, tangent_of)(z, tangents, values)
        seed = tangents.get(order)
        if z_dot is not None:
            tangents[order] = seed = z_dot if seed is None else seed + z_dot
        if seed is not None:
            yield z, seed, ()


def fit_cotangent(x_bar: Any, x: Any, stretchable: bool = False) -> Any:
    """A cotangent summed over what broadcasting repeated, in x's dtype.

    Of a `stretchable` x a run decides what that is, by the lengths that are fed.
    """
    if stretchable:
        x_bar = bind(SumLike, x_bar, x)
    elif x_bar.shape != x.shape:
        x_bar = sum_to(x_bar, x.shape)
        if x_bar.shape != x.shape:  # a length that the seed knows, and x will only be fed with
            x_bar = broadcast_like(x_bar, x)
    return x_bar if x_bar.dtype is x.dtype else cast(x_bar, x.dtype)


def fit_tangent(z_dot: Any, z: Value, stretchable: bool = False) -> Any:
    """A tangent broadcast to z's shape, in z's dtype; where z has a `stretchable` operand, by the
    lengths that are fed."""
    if z_dot.shape != z.shape or None in z.shape and stretchable:
        z_dot = broadcast_like(z_dot, z)
    return z_dot if z_dot.dtype is z.dtype else cast(z_dot, z.dtype)


class Unrecorded:
    """What writes nothing down, for sweeps of an engine that keeps no record of them."""

    def watch(self, steps: Iterable[Any], values: Any, seeds: Any) -> Iterable[Any]:
        """The steps as they are."""
        return steps

    def end(self, pairs: Iterable[Any]) -> None:
        """Would record the derivatives of unconnected values; does nothing."""


UNRECORDED = Unrecorded()


def begin_record(values: Sequence[Value], kind: str) -> Any:
    """What writes down the steps of a sweep over these values, of one engine."""
    return values[0].record_sweep(kind) or UNRECORDED if values else UNRECORDED


# derivatives of values ---------------------------------------------------------------------------


@overload
def gradients(
    ys: Any,
    xs: OneOrSome[V],
    grad_ys: Any = None,
    *,
    unconnected: Literal["none"],
    checkpoints: Any = None,
) -> list[V | None]: ...
@overload
def gradients(
    ys: Any,
    xs: OneOrSome[V],
    grad_ys: Any = None,
    unconnected: str = "raise",
    checkpoints: Any = None,
) -> list[V]: ...


def gradients(
    ys: Any, xs: Any, grad_ys: Any = None, unconnected: str = "raise", checkpoints: Any = None
) -> list[Any]:
    """Compute, for each x, Σ over ys of grad_y · ∂y/∂x: reverse mode, one pass for all xs.

    `grad_ys` are the seeds, of the shapes of ys; a single-number y has seed 1. The results are
    values of the same engine and can be differentiated again. With `checkpoints` (nodes to keep,
    or "sqrt" for every √n-th), other forward values of a Graph are computed again when needed:
    about 2√n are then held instead of n.
    Raises GradientError for an x that ys do not depend on, unless unconnected is "zero" or
    "none", which gives None in its place.

    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> mg.gradients(x * x, [x])
    [tensor(6., grad_fn=Add)]
    """
    check_unconnected(unconnected)
    seeds = list_seeds(grad_ys, ys)
    ys, xs = join_engines(list_floating(ys, "y"), list_floating(xs, "x"))
    record = begin_record(ys, "adjoint")
    seeds = seed_values(ys, seeds, "grad_ys", ones_for)
    path = differentiable_path(xs, ys)
    adjoints = accumulate_pairs((y.order, seed) for y, seed in zip(ys, seeds) if y.order in path)
    wanted, found = {x.order for x in xs}, {}
    values = itself if checkpoints is None else ys[0].recompute(path, checkpoints)
    sweep = reverse_sweep(path, adjoints, values, steps=True)
    for z, z_bar, _ in record.watch(sweep, ys, seeds):
        if z.order in wanted:
            found[z.order] = z_bar
    x_bars = [found[x.order] if x.order in found else fill_gap(x, ys, unconnected) for x in xs]
    record.end((x, x_bar) for x, x_bar in zip(xs, x_bars) if x.order not in found)
    return copy_aliases(x_bars, seeds)


def forward_gradients(
    ys: OneOrSome[V], xs: Any, tangents: Any, unconnected: str = "raise"
) -> list[V]:
    """Compute, for each y, Σ over xs of ∂y/∂x · tangent of x: forward mode, one pass for all ys.

    Raises GradientError for a y that depends on none of xs, unless unconnected="zero".

    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> mg.forward_gradients(x * x, [x], [1.0])
    [tensor(6., grad_fn=Add)]
    """
    check_unconnected(unconnected)
    seeds = list_seeds(tangents, xs)
    values, xs = join_engines(list_floating(ys, "y"), list_floating(xs, "x"))
    record = begin_record(xs, "tangent")
    seeds = seed_values(xs, seeds, "tangents", None)
    found = accumulate_pairs((x.order, s) for x, s in zip(xs, seeds))
    for _ in record.watch(walk_forward(differentiable_path(xs, values), found), xs, seeds):
        pass
    y_dots = [found[y.order] if y.order in found else fill_gap(y, xs, unconnected) for y in values]
    record.end((y, y_dot) for y, y_dot in zip(values, y_dots) if y.order not in found)
    return copy_aliases(y_dots, seeds)


def check_unconnected(unconnected: str) -> None:
    """Raises ArgumentError for what is no choice of `unconnected`."""
    if unconnected not in ("raise", "zero", "none"):
        message = f"unconnected is {unconnected!r}"
        raise ArgumentError(message, 'choose "raise", "zero" or "none"')


def list_seeds(seeds: Any, values: Any) -> Any:
    """The seeds as a list, when `values` is one value: a seed as it is, or a list of one."""
    if not isinstance(values, Value):
        return seeds
    alone = isinstance(seeds, (list, tuple)) and len(seeds) == 1
    return seeds if alone and rank_of(seeds[0]) == rank_of(values) else [seeds]


def copy_aliases(values: Iterable[Any], given: Iterable[Any]) -> list[Any]:
    """The values, with copies for those that come twice or were `given`, so that a change in place
    of one changes no other."""
    seen, result = {id(v) for v in given}, []
    for v in values:
        if id(v) in seen and getattr(v, "changeable", False):
            v = bind(Identity, v)
        seen.add(id(v))
        result.append(v)
    return result


def accumulate_pairs(pairs: Iterable[tuple[int, Any]]) -> ByOrder:
    """{order: sum of the values given for it}."""
    sums: ByOrder = {}
    for order, value in pairs:
        sums[order] = sums[order] + value if order in sums else value
    return sums


def list_floating(values: Any, what: str) -> list[Value]:
    """One value or a list of values, as a list: ys, or what they are differentiated by.

    Raises GradientError for what has no derivative, or is not watched.
    """
    found = list(values) if isinstance(values, (list, tuple)) else [values]
    for v in found:
        if not isinstance(v, Value):
            message = f"{what} is {type(v).__name__}, which has no recorded computation"
            code = "number" if isinstance(v, (int, float, np.number)) else "no value"
            raise GradientError(message, "pass Tensors or Nodes", code=code)
        if not is_float(v.dtype):
            message = f"{label(v)} is {v.dtype}; only floats have derivatives"
            raise GradientError(message, "create it as a float, for example 3.0 for 3")
        if what != "y" and not getattr(v, "tracked", True):  # a Tensor of which not all was kept
            message = (
                f"{label(v)} does not require grad, so its later use was not recorded completely"
            )
            raise GradientError(
                message, "create it with requires_grad=True, and compute the result again"
            )
    return found


def join_engines(ys: Sequence[Value], xs: Sequence[Value]) -> tuple[list[Any], list[Any]]:
    """ys and xs as values of one engine and graph; their `order` says nothing beyond it."""
    engine: Any = max([*ys, *xs], key=lambda v: v.priority, default=None)
    return [engine.coerce(y) for y in ys], [engine.coerce(x) for x in xs]


def seed_values(values: Sequence[Value], seeds: Any, what: str, default: Any) -> list[Any]:
    """A seed for each value, of its shape and dtype, in its engine."""
    seeds = [None] * len(values) if seeds is None else seeds
    if not isinstance(seeds, (list, tuple)) or len(seeds) != len(values):
        message = f"{what} must be a list of {len(values)}, one for each value"
        raise GradientError(message, "pass a list of the same length")
    if default is None and any(seed is None for seed in seeds):
        raise GradientError(
            f"{what} has None for one of the values", "pass a tangent for each value"
        )
    return [default(v) if s is None else fit_seed(v, s, what) for v, s in zip(values, seeds)]


def ones_for(y: Value, make: Callable[..., Any] | None = None) -> Any:
    """The seed 1 of a single number; anything larger must say which direction it means."""
    if any(n != 1 for n in y.shape):
        message = f"{label(y)} is {spec_of(y)}, not a single number: it has no gradient"
        raise GradientError(message, "reduce it with sum() or mean(), or give a seed of its shape")
    return (make or y.lift)(np.ones(y.shape, y.dtype))


def fit_seed(v: Value, seed: Any, what: str) -> Any:
    """A seed as a value of v's engine, checked against v's shape."""
    seed = v.lift(seed)
    if seed.shape == v.shape and seed.dtype is v.dtype and None not in v.shape:
        return seed.read_value()
    pairs = zip(seed.shape, v.shape)
    if rank_of(seed) != rank_of(v) or any(m != n and None not in (m, n) for m, n in pairs):
        message = f"{what} for {label(v)} is {spec_of(seed)}, but {label(v)} is {spec_of(v)}"
        raise ShapeError(message, "pass a seed of the same shape")
    unequal = None in v.shape and not has_shape_of(seed, v)
    return fit_tangent(seed, v, unequal).read_value()


def fill_gap(v: Value, others: Iterable[Value], unconnected: str) -> Any:
    """Zero, None, or the error that says that no differentiable path exists."""
    if unconnected == "none":
        return None
    if unconnected == "zero":
        return v.lift(broadcast_like(np.zeros((), v.dtype), v))
    message = f"no differentiable path connects {label(v)} with {', '.join(map(label, others))}"
    hint = 'check what was computed from what, or pass unconnected="zero"'
    raise GradientError(message, hint, code="unconnected")


def label(v: Value) -> str:
    """The learner's name for a value, or what it is."""
    return v.name or (f"the result of {v.op.verb}" if v.op else "an unnamed value")
