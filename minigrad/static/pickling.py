"""Graphs, Sessions and what they run, through pickle: a graph travels as a flat list of nodes.

For other processes of one's own, such as workers: a pickle runs code, so one from elsewhere is
never loaded. What is kept, or comes from others, goes through `save` or `to_bytes`.
"""

import copyreg
from typing import Any

import numpy as np

from minigrad.core.custom import Custom, custom_op
from minigrad.core.op import OpType
from minigrad.core.pytree import flatten, unflatten
from minigrad.static.control import Fn
from minigrad.static.graph import Constant, Graph, Node, Variable
from minigrad.static.session import Executable, Session

PLAIN = ("op", "params", "shape", "dtype", "name", "scope", "line", "segment", "version", "made_by")


def reduce_graph(graph: Graph) -> tuple:
    """How a Graph is made again: its nodes are named by their numbers, so no chain is too long."""
    described = [describe_node(node) for node in graph.nodes]
    return rebuild_graph, (graph.name, described), {"ledger": graph.ledger}


def describe_node(node: Node) -> tuple:
    """(class, plain slots, numbers of the inputs, of the controls, what the class adds)."""
    plain = [getattr(node, slot) for slot in PLAIN]
    own: tuple = ()
    if isinstance(node, Constant):
        own = (node.value,)
    elif isinstance(node, Variable):
        one = node.initial.size > 1 and not any(node.initial.strides)
        own = (node.initial.flat[0] if one else node.initial, node.trainable)
    linked = [[x.order for x in nodes] for nodes in (node.inputs, node.controls)]
    return type(node), plain, *linked, own


def rebuild_graph(name: str, described: list) -> Graph:
    """The Graph of these nodes."""
    graph = Graph(name)
    for kind, plain, inputs, controls, own in described:
        node = kind.__new__(kind)
        for slot, value in zip(PLAIN, plain):
            setattr(node, slot, value)
        node.graph, node.source = graph, None
        node.inputs, node.controls = (
            tuple([graph.nodes[order] for order in orders]) for orders in (inputs, controls)
        )
        give_array(node, *own)
        node.order = graph.append(node)
        if node.name:
            graph.names_in_use.add(node.name)
    return graph


def give_array(node: Any, array: Any = None, trainable: bool = False) -> None:
    """Gives a Constant its value, or a Variable its first one."""
    if isinstance(node, Constant):
        node.value = array
        node.value.flags.writeable = False
    elif isinstance(node, Variable):
        node.initial, node.trainable = np.broadcast_to(array, node.shape), trainable
        if np.ndim(array) == len(node.shape):
            node.initial = np.asarray(array)


def node_at(graph: Graph, order: int) -> Node:
    """A node of a graph, by its number."""
    return graph.nodes[order]


def reduce_node(node: Node) -> tuple:
    """How a Node is found again: in its graph."""
    return node_at, (node.graph, node.order)


def reduce_fn(fn: Fn) -> tuple:
    """How a body is made again."""
    return Fn, (fn.name, fn.inputs, fn.outputs)


def reduce_op(op: OpType) -> Any:
    """How an op is found again: by its name, or, one from outside the package, by its rules."""
    if not issubclass(op, Custom) or op is Custom:
        return op.__qualname__
    rules = [op.rules[kind] for kind in ("compute", "vjp", "jvp", "infer")]
    return rebuild_op, (*rules, op.__name__, op.lowerings)


def rebuild_op(*rules: Any) -> OpType:
    """The op that custom_op makes of these."""
    return custom_op(*rules).op  # type: ignore[attr-defined]  # functions take attributes


def reduce_session(session: Session) -> tuple:
    """How a Session is made again, with the values of its variables and the number of its runs.

    Its programs are compiled again. Raises GraphError inside a run.
    """
    values, runs = session.state()
    return rebuild_session, (session.graph, session.options, session.keep, values, runs)


def rebuild_session(graph: Graph, options: tuple, keep: int, values: dict, runs: int) -> Session:
    """The Session of this state."""
    session = Session(graph, *options, keep=keep)
    session.restore(values, runs)
    return session


def reduce_executable(exe: Executable) -> tuple:
    """How an Executable is made again: by compiling it once more."""
    nest, specs = unflatten(exe.structure, exe.fetches), [node.order for node in exe.feeds]
    return rebuild_executable, (exe.session, nest, dict(zip(specs, exe.feed_specs)))


def rebuild_executable(session: Session, nest: Any, specs: dict) -> Executable:
    """The Executable of these fetches and feeds."""
    return Executable(session, *flatten(nest), specs)


for kind, reduce in (
    (Graph, reduce_graph),
    (Node, reduce_node),
    (Constant, reduce_node),
    (Variable, reduce_node),
    (Fn, reduce_fn),
    (OpType, reduce_op),
    (Session, reduce_session),
    (Executable, reduce_executable),
):
    copyreg.pickle(kind, reduce)  # type: ignore[arg-type]  # a function for each kind
