"""Loops as the learner calls them: run by Python on numbers and Tensors, one op on Nodes."""

import itertools
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from minigrad.core.errors import ArgumentError, ShapeError
from minigrad.core.modes import mode, no_grad, open_graph
from minigrad.core.op import Value, bind
from minigrad.core.ops.index import stack
from minigrad.core.pytree import arrange_leaves
from minigrad.core.signatures import Array, V, ValueOf
from minigrad.core.spec import Spec, as_array, spec_of
from minigrad.dynamic.in_place import tick
from minigrad.dynamic.tensor import Tensor
from minigrad.static.control.body import BodyBuilder, close_bodies, graph_for
from minigrad.static.control.bundle import items
from minigrad.static.control.loop import Scan, While, common_length
from minigrad.static.control.pytrees import (
    Carry,
    as_predicate,
    as_value,
    check_functions,
    concrete_bool,
    dealias_outputs,
    flatten_nest,
    lift_contiguous,
    lift_together,
    list_arguments,
    name_leaves,
    show_structure,
    spread_carry,
    unflatten_nest,
)
from minigrad.static.graph import Node, lift_into

NestOrNumber: TypeAlias = tuple[Any, ...] | list[Any] | dict[Any, Any] | Array | float
Y = TypeVar("Y")  # what each iteration of a scan adds
ONCE_EACH = "give a function of the carry, as lambda x: x * 2: it runs once for each iteration"


@overload
def while_loop(
    condition: Callable[[V], Any],
    body: Callable[[V], V],
    carry: ValueOf[V],
    maximum_iterations: int | None = None,
) -> V: ...
@overload
def while_loop(
    condition: Callable[..., Any],
    body: Callable[..., Any],
    carry: NestOrNumber,
    maximum_iterations: int | None = None,
) -> Any: ...


def while_loop(
    condition: Callable[..., Any],
    body: Callable[..., Any],
    carry: Any,
    maximum_iterations: int | None = None,
) -> Any:
    """Repeat carry ← body(carry) while condition(carry); returns the last carry, nested as given.

    A tuple goes to condition and body as several arguments when they take as many. On Nodes, and
    inside `with graph:`, one op, which stores the carries of all iterations for a gradient.
    Values from outside may be used in condition and body, and get gradients.
    Raises ShapeError or DtypeError, when it is built, for a carry that an iteration would change.

    >>> mg.while_loop(lambda x: x < 100.0, lambda x: x * 2, mg.tensor(3.0))
    tensor(192.)
    """
    check_functions("while_loop", ONCE_EACH, condition=condition, body=body)
    limit = as_iterations(maximum_iterations, "maximum_iterations")
    carry, given = Carry("while_loop", carry), carry
    labels = carry.names_in(condition), carry.names_in(body)
    condition, body = spread_carry(condition, given), spread_carry(body, given)
    if not carry.leaves:
        raise ArgumentError("while_loop: the carry holds no value", "carry what changes")
    if is_static(carry.leaves):
        return while_node(condition, body, carry, labels, limit)
    since = tick()
    leaves, what = lift_contiguous(carry.leaves), "while_loop: the condition"
    for _ in itertools.count() if limit is None else range(limit):
        if not concrete_bool(condition(carry.nest(leaves)), what):
            break
        leaves = lift_contiguous(carry.flatten_results(body(carry.nest(leaves))))
    return carry.nest(dealias_outputs(leaves, since))


def while_node(
    condition: Callable[..., Any],
    body: Callable[..., Any],
    carry: Carry,
    labels: Any,
    limit: int | None,
) -> Any:
    """The loop as one op; `labels` are what condition and body call the leaves of the carry."""
    graph = graph_for(carry.leaves)
    test, step = (
        BodyBuilder(f"{name} of while_loop", graph, names, carry.specs, f)
        for name, names, f in (
            ("condition", labels[0], lambda nodes: condition(carry.nest(nodes))),
            ("body", labels[1], lambda nodes: body(carry.nest(nodes))),
        )
    )
    going = as_value(test.results, np.dtype(bool))
    going = as_predicate(going, "while_loop: the condition")
    after = carry.flatten_results(step.results)
    fns, captured = close_bodies((test, [going]), (step, after))
    params = dict(zip(("condition", "body"), fns)) | {"limit": limit, "record": False}
    before = [lift_into(graph, x) for x in carry.leaves]
    return carry.nest(items(bind(While, *before, *captured, carries=len(before), **params)))


@overload
def scan(
    body: Callable[[V, V], tuple[V, Y]],
    carry: ValueOf[V],
    xs: ValueOf[V] | Array,
    reverse: bool = False,
    length: int | None = None,
) -> tuple[V, Y]: ...
@overload
def scan(
    body: Callable[[V, Any], tuple[V, Y]],
    carry: ValueOf[V],
    xs: NestOrNumber | None,
    reverse: bool = False,
    length: int | None = None,
) -> tuple[V, Y]: ...
@overload
def scan(
    body: Callable[..., tuple[Any, Any]],
    carry: NestOrNumber,
    xs: Any,
    reverse: bool = False,
    length: int | None = None,
) -> tuple[Any, Any]: ...


def scan(
    body: Callable[..., Any],
    carry: Any,
    xs: Any,
    reverse: bool = False,
    length: int | None = None,
) -> Any:
    """Compute carry, y[t] ← body(carry, x[t]) for each t; returns (last carry, the ys stacked).

    `xs` is a nest of arrays of equal first length, or None with a `length`; y may be None. With
    `reverse`, t runs from the last to the first, and y[t] still stands at place t. On Nodes, and
    inside `with graph:`, one op; values from outside may be used in the body, and get gradients.
    Raises ShapeError or DtypeError, when it is built, for a carry that an iteration would change.

    >>> mg.scan(lambda total, x: (total + x, total + x), mg.tensor(0.0), mg.tensor([1.0, 2.0, 3.0]))
    (tensor(6.), tensor([1., 3., 6.]))
    """
    check_functions("scan", ONCE_EACH, body=body)
    carry, length = Carry("scan", carry), as_iterations(length, "length")
    slices, structure = flatten_nest(xs)
    slices = [x if isinstance(x, Value) else as_array(x) for x in slices]
    if any(not np.ndim(x) for x in slices):
        message = "scan: xs is a single number, not an array"
        raise ShapeError(
            message, "give arrays; a list is a nest of numbers, so write np.array([…])"
        )
    if not slices and length is None:
        hint = "give length="
        raise ArgumentError("scan: xs is None, so the number of iterations is not known", hint)
    iterations = common_length(slices, length)
    call = LoopBody(body, carry, structure)
    if is_static([*carry.leaves, *slices]):
        return scan_node(call, slices, reverse, length)
    return run_scan(call, slices, range(iterations)[::-1] if reverse else range(iterations))


class LoopBody:
    """The body of a scan, between flat lists: (carries, slices) → (carries, ys)."""

    def __init__(self, f: Callable[..., Any], carry: Carry, structure: Any) -> None:
        self.f, self.carry, self.structure, self.nest = f, carry, structure, None

    def __call__(self, leaves: Any, slices: Any) -> Any:
        """What f returns, still as it is."""
        return self.f(self.carry.nest(leaves), unflatten_nest(self.structure, slices))

    def split_results(self, returned: Any) -> tuple[list[Any], list[Any]]:
        """(carries, ys) of what f returned; the first iteration settles the nest of the ys."""
        if not isinstance(returned, (tuple, list)) or len(returned) != 2:
            message = f"scan: the body returns {type(returned).__name__}, not a pair"
            raise ArgumentError(message, "return (carry, y); y may be None")
        carry, y = returned
        ys, nest = flatten_nest(y)
        self.nest = nest if self.nest is None else self.nest
        if nest != self.nest:
            shown = show_structure(nest), show_structure(self.nest)
            message = "scan: the body returns {} as y, and before {}".format(*shown)
            raise ArgumentError(message, "return the same nest in every iteration")
        ys = arrange_leaves(self.nest, y) if ys else ys
        return self.carry.flatten_results(carry), [
            y if isinstance(y, Value) else as_array(y) for y in ys
        ]


def run_scan(body: LoopBody, slices: list[Any], order: Iterable[int]) -> tuple[Any, Any]:
    """The loop, run by Python."""
    count, since = len(body.carry.leaves), tick()
    values = lift_contiguous([*body.carry.leaves, *slices])
    leaves, slices, rows = values[:count], values[count:], {}
    for t in order:
        carries, rows[t] = body.split_results(body(leaves, [x[t] for x in slices]))
        leaves = lift_contiguous(carries)
    if rows:
        ys = [stack(lift_together(column)) for column in zip(*(rows[t] for t in sorted(rows)))]
    else:
        ys = [np.zeros((0, *s.shape), s.dtype) for s in specs_of_y(body, leaves, slices)]
        ys = lift_together([*leaves, *ys])[count:]
    results = dealias_outputs([*leaves, *ys], since)
    return body.carry.nest(results[:count]), unflatten_nest(body.nest, results[count:])


def specs_of_y(body: LoopBody, leaves: list[Any], slices: list[Any]) -> list[Spec]:
    """The Specs of y for a scan of no iterations, found by one iteration on zeros."""
    with no_grad(), np.errstate(all="ignore"):
        zeros = [np.zeros(x.shape[1:], x.dtype) for x in slices]
        zeros = lift_together([*leaves, *zeros])[len(leaves) :]
        return list(map(spec_of, body.split_results(body(leaves, zeros))[1]))


def scan_node(
    body: LoopBody, slices: list[Any], reverse: bool, length: int | None
) -> tuple[Any, Any]:
    """The loop as one op."""
    carry = body.carry
    graph = graph_for([*carry.leaves, *slices])
    operands = [lift_into(graph, x) for x in (*carry.leaves, *slices)]
    count = len(carry.leaves)
    said = list_arguments(body.f)
    root, x = said[:2] if len(said) > 1 else ("carry", "x")
    labels = name_leaves(carry.structure, root) + (name_leaves(body.structure, x) if slices else [])
    specs = carry.specs + [Spec(tuple(x.shape[1:]), x.dtype) for x in slices]
    call = BodyBuilder("body of scan", graph, labels, specs, lambda x: body(x[:count], x[count:]))
    after, ys = body.split_results(call.results)
    (fn,), captured = close_bodies((call, [*after, *ys]))
    sizes = {"carries": count, "slices": len(slices), "length": length}
    way = {"reverse": bool(reverse), "record": False}
    results = items(bind(Scan, *operands, *captured, body=fn, **sizes, **way))
    return carry.nest(results[:count]), unflatten_nest(body.nest, results[count:])


# what both need ----------------------------------------------------------------------------------


def is_static(leaves: Iterable[Any]) -> bool:
    """True when a loop is to become a node: a node takes part, or a graph is being built."""
    if any(isinstance(x, Node) for x in leaves) or mode().tracing:
        return True
    return open_graph() is not None and not any(isinstance(x, Tensor) for x in leaves)


def as_iterations(count: Any, what: str) -> int | None:
    """A count of iterations. Raises ArgumentError unless it is None or a whole number >= 0."""
    if count is None:
        return None
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
        raise ArgumentError(f"{what} is {count!r}", "give a whole number of 0 or more, or None")
    return int(count)
