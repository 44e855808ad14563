"""Shortcuts from a formula to its node: what `bind` and `Node.extend` do, in half the time.

Nearly every node of a graph is an op without parameters on nodes of that graph, built in it and
seen by nobody: then there is nothing to convert, to bring in from outside or to tell.
"""

from functools import lru_cache

from minigrad.core.modes import opened
from minigrad.core.op import BINARY, UNARY, bind, explain_error
from minigrad.core.spec import Spec
from minigrad.static.graph import Constant, Node, Variable

NODES = {Node, Constant, Variable}
SPECS = 1024  # of each op: what it gives for operands of these shapes and dtypes


def install():
    """Fills `shortcuts` of the ops; a sweep looks back in less time."""
    Node.looking_back = look_back
    for op in UNARY:
        op.shortcuts |= dict.fromkeys(NODES, unary_on_nodes(op))
    for op in BINARY:
        op.shortcuts |= dict.fromkeys(NODES, binary_on_nodes(op))


def unary_on_nodes(op):
    """The function x → op(x) for a Node x."""
    infer = lru_cache(SPECS)(op.infer)

    def shortcut(x):
        graph = x.graph
        if graph.tracer or opened.get()[0] not in (graph, None):
            return bind(op, x)
        try:
            spec = infer(Spec(x.shape, x.dtype))
        except Exception as error:
            raise explain_error(error, op, (x,), {}) from None
        return Node(graph, op, (x,), {}, spec)

    return shortcut


def binary_on_nodes(op):
    """The function x, y → op(x, y) for a Node x."""
    infer = lru_cache(SPECS)(op.infer)

    def shortcut(x, y):
        graph = x.graph
        if (
            type(y) not in NODES
            or y.graph is not graph
            or graph.tracer
            or opened.get()[0] not in (graph, None)
        ):
            return bind(op, x, y)
        try:
            spec = infer(Spec(x.shape, x.dtype), Spec(y.shape, y.dtype))
        except Exception as error:
            raise explain_error(error, op, (x, y), {}) from None
        return Node(graph, op, (x, y), {}, spec)

    return shortcut


def look_back(node):
    """Node.looking_back, without the generator that a context manager of the book runs."""
    return LookingBack(node)


class LookingBack:
    """A `with` block in which variables are read as they were for a node."""

    __slots__ = ("graph", "moment", "before")

    def __init__(self, node):
        self.graph, self.moment = node.graph, node.moment

    def __enter__(self):
        self.before, self.graph.as_of = self.graph.as_of, self.moment

    def __exit__(self, *exception):
        self.graph.as_of = self.before
