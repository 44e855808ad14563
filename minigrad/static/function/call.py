"""A graph as an op: what a traced function leaves in the memory of the dynamic engine."""

from itertools import pairwise
from typing import Any

import numpy as np

from minigrad.core.autodiff import ancestors, forward_gradients, gradients
from minigrad.core.modes import enable_grad
from minigrad.core.op import Op, OpType, bind
from minigrad.core.ops.elementwise import Identity, cast
from minigrad.core.ops.index import concatenate, getitem
from minigrad.core.ops.shape import reshape
from minigrad.core.spec import Spec, spec_of
from minigrad.static.graph import Graph, Node, PlaceholderOp
from minigrad.static.program import copy_node, emit
from minigrad.static.statements import Print


class GraphCall(Op):
    """z = a node of a graph, computed from `formals`; its derivatives are graphs as well.

    Each traced function, pullback and pushforward has an op class of its own, so that a
    derivative can be differentiated again. Derivatives compute again what they need of z.
    """

    says = "{z} is what the traced function {verb} computes from {xs}."
    says_back = "The traced function has a graph for its derivative, which gives {amount} to {to}."

    @classmethod
    def infer(op, *specs):
        return spec_of(op.result)

    @classmethod
    def operands(op, count):
        return [node.name or "seed" for node in op.formals]

    @classmethod
    def compute(op, *arrays):
        return op.session.run(op.result, dict(zip(op.formals, arrays)))

    @classmethod
    def pullback(op, xs, z, z_bar, wanted, params):
        pull, places, specs = op.derivative("pull", tuple(wanted))
        found = unpack_vector(bind(pull, *xs, z_bar), specs) if pull else ()
        x_bars = dict(zip(places, found))
        return [x_bars.get(i) for i in range(len(xs))]

    @classmethod
    def pushforward(op, xs, z, x_dots, params):
        push, _, _ = op.derivative("push", tuple(x_dot is not None for x_dot in x_dots))
        return bind(push, *xs, *[x_dot for x_dot in x_dots if x_dot is not None]) if push else None

    @classmethod
    def derivative(op, kind, wanted):
        """The op of a derivative for the `wanted` operands, built when it is first needed."""
        if (kind, wanted) not in op.derivatives:
            with op.session.graph, enable_grad():
                op.derivatives[kind, wanted] = (pull if kind == "pull" else push)(op, wanted)
        return op.derivatives[kind, wanted]


def call_op(name: str, session: Any, formals: list[Node], result: Node) -> Any:
    """The op that computes the node `result` from the nodes `formals`."""
    own = {"session": session, "formals": tuple(formals), "result": result, "derivatives": {}}
    return OpType(name, (GraphCall,), own)


def without_statements(formals: list[Node], result: Node) -> tuple[list[Node], Node]:
    """(formals, result) in a graph of their own, which computes the same and prints nothing.

    An Identity stands for each Print, so that contributions add up in the same order.
    """
    graph, new = Graph(result.graph.name), {}
    for node in (*formals, *ancestors([result])):
        if node.order not in new:
            inputs = [new[x.order] for x in node.inputs]
            if node.op is Print:
                new[node.order] = emit(graph, Identity, inputs, {}, spec_of(node), node)
            else:
                new[node.order] = copy_node(graph, node, inputs)
    return [new[x.order] for x in formals], new[result.order]


def seed_like(node, name):
    """A node that is fed with a tangent or cotangent of `node`."""
    return Node(node.graph, PlaceholderOp, (), {}, spec_of(node), name)


def pull(op, wanted):
    """(op of the pullback, the operands that get a cotangent, their Specs)."""
    z_bar = seed_like(op.result, "z_bar")
    places = [i for i, want in enumerate(wanted) if want]
    x_bars = gradients([op.result], [op.formals[i] for i in places], [z_bar], unconnected="none")
    places = [i for i, x_bar in zip(places, x_bars) if x_bar is not None]
    x_bars = [x_bar for x_bar in x_bars if x_bar is not None]
    if not places:
        return None, [], []
    made = call_op(f"{op}_pullback", op.session, [*op.formals, z_bar], pack_values(x_bars))
    return made, places, [spec_of(x_bar) for x_bar in x_bars]


def push(op, wanted):
    """(op of the pushforward, nothing, nothing)."""
    moved = [x for x, want in zip(op.formals, wanted) if want]
    x_dots = [seed_like(x, "x_dot") for x in moved]
    (z_dot,) = forward_gradients([op.result], moved, x_dots, unconnected="none")
    if z_dot is None:
        return None, [], []
    return call_op(f"{op}_pushforward", op.session, [*op.formals, *x_dots], z_dot), [], []


def pack_values(values: list[Any]) -> Any:
    """One value as it is; several in one vector, so that an op with one result can give them."""
    if len(values) == 1:
        return values[0]
    dtype = np.result_type(*(v.dtype for v in values))
    return concatenate([cast(reshape(v, (-1,)), dtype) for v in values])


def unpack_vector(z: Any, specs: list[Spec]) -> list[Any]:
    """The values that were packed, by their Specs."""
    if len(specs) == 1:
        return [z]
    stops = np.cumsum([0] + [int(np.prod(s.shape)) for s in specs]).tolist()
    parts = [getitem(z, slice(*ends)) for ends in pairwise(stops)]
    return [cast(reshape(part, s.shape), s.dtype) for part, s in zip(parts, specs)]
