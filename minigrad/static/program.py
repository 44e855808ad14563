"""What a Session compiles: the part of a graph between feeds and fetches, without statements.

Assignments are gone from a Program: what reads a variable after an assignment reads the assigned
value itself, and `stores` says which value each variable has in the end. All that is left is
pure, but for `effects`, and may be computed in any order that respects the inputs.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from minigrad.core.errors import FeedError
from minigrad.core.op import Op, explain_error
from minigrad.core.signatures import Params, Values
from minigrad.core.spec import Shape, Spec, as_contiguous, is_compatible, spec_of
from minigrad.static.graph import (
    Constant,
    ConstantOp,
    Graph,
    Group,
    Node,
    PlaceholderOp,
    VariableOp,
)
from minigrad.static.statements import Assign


@dataclass(frozen=True, eq=False)
class Program:
    """Nodes of a private graph, with every length known.

    `fetches` are nodes, or None for what has no value; `stores` pairs of a Variable and its new
    value; `effects` nodes that must run, in this order; `feeds` and `variables` map the order
    of a node of the learner's graph to the node that stands for its value.
    """

    graph: Graph
    fetches: list[Any]
    stores: list[Any]
    effects: list[Any]
    feeds: dict[Any, Any]
    variables: dict[Any, Any]

    def roots(self) -> list[Node]:
        """The nodes that must be computed."""
        fetched = [n for n in self.fetches if n is not None]
        return [*fetched, *(n for _, n in self.stores), *self.effects]

    def nodes(self) -> list[Node]:
        """The nodes that the roots need, in order."""
        return self.in_order

    @cached_property
    def in_order(self) -> list[Node]:
        """The result of nodes(), found once: every pass asks for it."""
        return find_needed(self.roots(), ())


def find_needed(roots: Iterable[Node], feeds: Container[int]) -> list[Node]:
    """The nodes that the roots depend on, not looking behind fed ones; in order of creation."""
    found = {node.order: node for node in roots}
    waiting = list(found.values())
    while waiting:
        node = waiting.pop()
        for x in () if node.order in feeds else node.inputs + node.controls:
            if x.order not in found:
                found[x.order] = x
                waiting.append(x)
    return [found[order] for order in sorted(found)]


# making nodes of a program -----------------------------------------------------------------------


N = TypeVar("N", bound=Node)


def emit(
    graph: Graph, op: type[Op], inputs: Values, params: Params, spec: tuple[Any, ...], origin: Node
) -> Node:
    """A node that keeps the name, scope and line of the learner's node it comes from."""
    return fill_slots(object.__new__(Node), graph, op, tuple(inputs), params, spec, origin)


def emit_constant(graph: Graph, value: Any, origin: Node) -> Constant:
    """A constant node that keeps the name, scope and line of its origin."""
    node = object.__new__(Constant)
    node.value = as_contiguous(np.asarray(value))
    return fill_slots(node, graph, ConstantOp, (), {}, spec_of(node.value), origin)


def fill_slots(
    node: N,
    graph: Graph,
    op: type[Op],
    inputs: tuple[Node, ...],
    params: Params,
    spec: tuple[Any, ...],
    origin: Node,
) -> N:
    """Sets a node's slots and adds it to the graph."""
    node.graph, node.op, node.inputs, node.params = graph, op, inputs, params
    node.shape, node.dtype = spec
    node.name, node.scope, node.line, node.controls = origin.name, origin.scope, origin.line, ()
    node.segment, node.version, node.source = origin.segment, None, learners_node(origin)
    node.made_by = origin.made_by
    node.order = graph.append(node)
    return node


def learners_node(node: Node) -> Node:
    """The node of the learner's graph, or of a body, that a program's node comes from."""
    return node if node.source is None else node.source


def copy_node(graph: Graph, node: Node, inputs: Values) -> Node:
    """The node itself, in another graph."""
    if isinstance(node, Constant):
        return emit_constant(graph, node.value, node)
    return emit(graph, node.op, inputs, node.params, (node.shape, node.dtype), node)


# cutting a program out of the learner's graph ----------------------------------------------------


class Cutter:
    """Walks the needed nodes in order of creation and copies them with known lengths."""

    new: dict[int, Any]
    feeds: dict[int, Node]
    variables: dict[int, Node]
    assignments: dict[int, list[tuple[Any, ...]]]
    effects: list[Node]
    control_dependencies: set[int]

    def __init__(self, feeds: dict[int, Spec]) -> None:
        self.feed_specs, self.graph, self.new = feeds, Graph("program"), {}
        self.feeds, self.variables, self.assignments, self.effects = {}, {}, {}, []
        # what others depend on by control: it must run, if that shows
        self.control_dependencies = set()

    def copy(self, node: Node) -> None:
        """The program's node for a node of the learner's graph; None for a statement's nothing."""
        if node.order in self.feed_specs:
            new = emit(self.graph, PlaceholderOp, (), {}, self.feed_specs[node.order], node)
            self.feeds[node.order] = new
        elif node.op is Group:
            new = None
        elif node.op is Assign:
            new = self.value(node.inputs[1], node)
            variable = node.inputs[0]
            self.assignments.setdefault(variable.order, []).append((node.order, variable, new))
        elif node.op is VariableOp:
            self.variables[node.order] = new = copy_node(self.graph, node, ())
        elif not node.inputs:
            new = copy_node(self.graph, node, ())
        else:
            new = self.copy_op(node)
        self.new[node.order] = new

    def stores(self) -> list[tuple[Any, ...]]:
        """(variable, its last value) for each variable that is assigned."""
        return [(variable, new) for *_, (_, variable, new) in self.assignments.values()]

    def value(self, x: Node, reader: Node) -> Any:
        """What a node's value is for `reader`: a variable is what was last assigned before it."""
        for order, _, new in reversed(self.assignments.get(x.order, ())):
            if order < reader.read_version:
                return new
        return self.new[x.order]

    def copy_op(self, node: Node) -> Node:
        """A copy of an op's node; its shape is inferred again where a length was unknown."""
        inputs = [self.value(x, node) for x in node.inputs]
        spec = node.shape, node.dtype
        # a bundle's lengths are in its dtype
        if any([n.shape != x.shape or n.dtype != x.dtype for n, x in zip(inputs, node.inputs)]):
            spec = infer_node(node, list(map(spec_of, inputs)))
        if node.op.steps_between and None not in (*spec[0], *inputs[0].shape):
            return self.copy_steps(node, inputs[0], spec)
        new = emit(self.graph, node.op, inputs, node.params, spec, node)
        if node.op.effect or node.order in self.control_dependencies and not node.op.pure:
            self.effects.append(new)
        return new

    def copy_steps(self, node: Node, x: Node, spec: tuple[Any, ...]) -> Node:
        """What an op comes to that waited for lengths alone; x itself where they agree."""
        for op, params in node.op.steps_between(x.shape, spec[0]):
            x = emit(self.graph, op, (x,), params, op.infer(spec_of(x), **params), node)
        return x


def cut(fetches: Sequence[Node], feeds: dict[int, Spec]) -> Program:
    """The Program that computes fetches; `feeds` maps the order of fed nodes to Specs.

    Raises, with the line where a node was made, when the fed shapes do not go together.
    """
    nodes = find_needed(fetches, feeds)
    check_fed(nodes, feeds, fetches)
    cutter = Cutter(feeds)
    cutter.control_dependencies.update(
        c.order for n in nodes if n.order not in feeds for c in n.controls
    )
    for node in nodes:
        cutter.copy(node)
    return Program(
        cutter.graph,
        [cutter.new[n.order] for n in fetches],
        cutter.stores(),
        cutter.effects,
        cutter.feeds,
        cutter.variables,
    )


def check_fed(
    nodes: Sequence[Node],
    feeds: Container[int],
    fetches: Sequence[Node],
    call: str = "sess.run(…, {})",
) -> None:
    """Raises FeedError when a placeholder that is needed is not fed; `call` has room for it."""
    for node in nodes:
        if node.role == "input" and node.order not in feeds:
            wanted = ", ".join(map(name_node, fetches))
            message = f"{wanted} cannot be computed: {name_node(node)}, {spec_of(node)}, is not fed"
            fed = f"{{{node.name or 'node'}: value}}"
            error = FeedError(message, f"add it: {call.format(fed)}")
            error.missing_feed = node
            raise error


def suggest_feed(error: FeedError, inputs: Mapping[str, Node], call: str) -> None:
    """Writes into the hint of an error for a missing feed the call that was made: `call`, where
    {} stands for the name of the input."""
    for name, node in inputs.items():
        if node is error.missing_feed:
            error.hint = f"add it: {call.format(name)}"


def name_node(node: Any) -> str:
    """What a message calls a node."""
    return node.name or f"%{node.order} ({node.op})"


def refit_spec(node: Node, given: Sequence[Spec]) -> Spec:
    """The Spec of a node's op for operands of Specs `given`, which may be more definite.

    Raises FeedError when they give another shape than the graph was built for.
    """
    spec = Spec(*node.op.infer(*given, **node.params))
    if not is_compatible(spec.shape, node.shape):
        message = f"the fed lengths give {spec}, but the graph was built for {spec_of(node)}"
        raise FeedError(message, "feed arrays with the lengths that the graph was built for")
    return spec


def infer_node(node: Node, inputs: Sequence[Spec]) -> Spec:
    """The Spec of a node for known input shapes; an error shows the learner's line."""
    try:
        return refit_spec(node, inputs)
    except Exception as error:
        named = [NamedSpec(*spec, x.name) for x, spec in zip(node.inputs, inputs)]
        raise explain_error(error, node.op, named, node.params, node.line) from None


class NamedSpec(NamedTuple):
    """A Spec under the name of its node, for messages."""

    shape: Shape
    dtype: np.dtype[Any]
    name: str | None
