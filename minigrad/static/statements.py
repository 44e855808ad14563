"""Statements of a graph: what changes something, or prints, when it runs."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, DtypeError, GraphError, ShapeError
from minigrad.core.op import Discrete, Op, Operandlike, bind
from minigrad.core.signatures import takes_one
from minigrad.core.spec import Spec
from minigrad.static.graph import Node, Variable, default_graph


def control_dependencies(nodes: Iterable[Node]) -> AbstractContextManager[None]:
    """`with control_dependencies([print_node]):` makes what is built inside run those nodes too."""
    nodes = list(nodes)
    for node in nodes:
        if not isinstance(node, Node):
            raise GraphError(f"{node!r} is no node, so nothing can depend on it", "pass nodes")
    graph = nodes[0].graph if nodes else default_graph()
    return graph.override("controls", lambda now: [*now, *nodes])


class Assign(Discrete):
    """variable ← value, when it runs; z = the value."""

    effect = True

    def infer(variable: Any, value: Any) -> Spec:
        if value.shape != variable.shape:
            message = "{value} does not have the shape of {variable}"
            raise ShapeError(message, "an assignment keeps the variable's shape")
        if value.dtype != variable.dtype:
            message = "{value} does not have the dtype of {variable}"
            raise DtypeError(message, "convert it: value.astype(variable.dtype)")
        return Spec(variable.shape, variable.dtype)

    def compute(variable: Any, value: Any) -> Any:
        return value


class Print(Op):
    """z = x, and a line of text each time it runs."""

    builtin = effect = True
    jvp = (lambda x, z, x_dot, *, message: x_dot,)
    vjp = (lambda x, z, z_bar, *, message: z_bar,)
    reads = ("",)

    def infer(x: Any, *, message: str) -> Any:
        return x

    def compute(x: Any, *, message: str) -> Any:
        print(f"{message}{x}")
        return x


class Group(Discrete):
    """Runs all its operands; has no value."""

    effect = True

    def infer(*nodes: Any) -> Spec:
        return Spec((), np.dtype(bool))

    def compute(*values: Any) -> None:
        return None


def assign(variable: Variable, value: Operandlike) -> Node:
    """variable ← value. Runs when fetched, after what was created before it; returns the value."""
    if not isinstance(variable, Variable):
        message = f"{variable!r} is no Variable: it stores nothing"
        raise GraphError(message, "make it with mg.Variable(initial)")
    node: Node = bind(Assign, variable, value)
    for made in (node, node.inputs[1]):
        node.graph.ledger.note("update", made, variable)
    return node


def assign_add(variable: Variable, amount: Operandlike) -> Node:
    """variable ← variable + amount."""
    return assign(variable, variable + amount)


def assign_sub(variable: Variable, amount: Operandlike) -> Node:
    """variable ← variable - amount."""
    return assign(variable, variable - amount)


@takes_one
def print_(x: Operandlike, message: Any = "") -> Any:
    """z = x; prints `message` and x's value whenever it runs: it runs when something needs z."""
    return bind(Print, x, message=str(message))


def group(*nodes: Node) -> Node:
    """A node that runs all of `nodes`; fetching it gives None."""
    if not nodes:
        raise ArgumentError("group() of nothing", "pass the nodes to run together")
    node: Node = bind(Group, *nodes)
    return node
