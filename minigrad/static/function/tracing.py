"""Tracing: one call of a Python function, with nodes for arrays, leaves a graph behind."""

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core.autodiff import label
from minigrad.core.errors import GraphError
from minigrad.core.modes import enable_grad, mode, tracing
from minigrad.core.op import ARRAYS, bind
from minigrad.core.ops.elementwise import Detach
from minigrad.core.pytree import flatten, unflatten
from minigrad.core.spec import Spec, is_float, spec_of
from minigrad.dynamic.tensor import Tensor, tick
from minigrad.static.control import Fn
from minigrad.static.function.key import Array, Nest, freeze_value
from minigrad.static.graph import Constant, Graph, Group, Node, PlaceholderOp, VariableOp


class Tracer:
    """Turns one call of a Python function into a graph; takes in Tensors from outside."""

    def __init__(self, name: str) -> None:
        self.name, self.graph, self.captured = name, Graph(name), {}
        self.start = tick()

    def placeholder(self, name, spec):
        """A node that is fed at each call."""
        return Node(self.graph, PlaceholderOp, (), {}, spec, name)

    def capture(self, value):
        """The node that stands for a Tensor of outside, the same at each use."""
        if not isinstance(value, Tensor):
            raise GraphError(f"{value!r} cannot enter {self.name}", "use one engine")
        if id(value) not in self.captured:
            node = self.placeholder(value.name or "captured", spec_of(value))
            self.captured[id(value)] = value, node
        return self.captured[id(value)][1]

    def extend(self, op, inputs, params):
        """An op of Tensors alone goes into the graph too: it is computed at each call."""
        nodes = [self.capture(x) if isinstance(x, Tensor) else x for x in inputs]
        return bind(op, *nodes, **params)

    def add_node(self, node):
        """A new node, cut off from differentiation when it was made under no_grad."""
        if mode().recording or node.op is Detach or not is_float(node.dtype):
            return node
        return bind(Detach, node)

    def refuse(self, tensor):
        """Raises GraphError: the numbers of now would be kept for all later calls."""
        message = f"{label(tensor)} is read while {self.name} is traced, so every later call "
        hint = "keep computing with it, or read it outside and pass it as an argument"
        raise GraphError(f"{message}would see the present numbers", hint)

    def refuse_change(self, tensor):
        """Raises GraphError: a Tensor of outside would be changed by this trace alone."""
        message = f"{label(tensor)} is changed in place in {self.name}, which would happen "
        hint = "return the new value, and assign it outside"
        raise GraphError(f"{message}while it is traced, not at each call", hint)

    def refuse_in_place(self, node, sign):
        """Raises GraphError for an argument, which Python's x += 1 would change for the caller."""
        in_place = sign in "+-*/" or node.order in self.arrays  # x **= 2 changes arrays alone
        if in_place and any(node is formal for formal in self.formals):
            message = f"{node.name} {sign}= … would change the caller's {node.name} in Python, "
            hint = f"make a new value, {node.name} = {node.name} {sign} …, and return it"
            raise GraphError(f"{message}but not in {self.name}, which is traced", hint)

    def trace(self, python: Callable[..., Any], arguments: Any, entries: Any) -> Any:
        """What `python` returns, with nodes for the arrays among its arguments."""
        leaves, structure = flatten(arguments)
        names = [entry for entry in entries if not isinstance(entry, Nest)]
        self.formals, self.arrays, given = [], set(), []
        for leaf, entry in zip(leaves, names):
            if isinstance(entry, Array):
                is_array = isinstance(leaf, np.ndarray)
                leaf = self.placeholder(entry.label, Spec(entry.shape, entry.dtype))
                self.formals.append(leaf)
                self.arrays |= {leaf.order} if is_array else set()
            given.append(leaf)
        args, kwargs = unflatten(structure, given)
        self.graph.tracer = self
        try:
            with self.graph, tracing(self), enable_grad():
                returned = python(*args, **kwargs)
                self.check_nests([args, kwargs], given, structure)
                return self.check_returned(returned)
        finally:
            self.graph.tracer, self.graph.closed = None, True

    def check_nests(self, arguments, given, structure):
        """Raises GraphError where a list or dict among the arguments was changed."""
        leaves, now = flatten(arguments)
        if now != structure or any(x is not before for x, before in zip(leaves, given)):
            message = f"{self.name} changes a list or dict among its arguments, which would happen "
            hint = "return the new values, and store them outside"
            raise GraphError(f"{message}while it is traced, not at each call", hint)

    def check_returned(self, returned):
        """(leaves, structure) of what was returned, Tensors as nodes; no state left behind."""
        leaves, structure = flatten(returned)
        leaves = [self.capture(x) if isinstance(x, Tensor) else x for x in leaves]
        leaves = [None if isinstance(x, Node) and x.op is Group else x for x in leaves]
        for tensor, _ in self.captured.values():
            if tensor.changed and tensor.changed[0] > self.start:
                self.refuse_change(tensor)
        stated = {n.order for n in [*self.formals, *(n for _, n in self.captured.values())]}
        for node in self.graph.nodes:
            if node.op is VariableOp or node.op is PlaceholderOp and node.order not in stated:
                message = f"{self.name} makes {node.op} {node.name or ''} at each trace"
                hint = "create it outside; use mg.tensor inside, and pass values as arguments"
                raise GraphError(message, hint)
        return leaves, structure


def compare_traces(first: Any, second: Any) -> None:
    """Raises GraphError naming the first place where two traces of one call differ."""
    (a, leaves, structure), (b, others, other_structure) = first, second
    pair = find_difference(a.graph.nodes, b.graph.nodes)
    if pair:
        m, n = pair
        raise unsteady(a.name, f"first {show_node(m)}, then {show_node(n)}", m.line)
    if len(a.graph.nodes) != len(b.graph.nodes):
        raise unsteady(a.name, f"first {len(a.graph.nodes)} nodes, then {len(b.graph.nodes)}")
    for (x, node), (y, _) in zip(a.captured.values(), b.captured.values()):
        if x is not y and not np.array_equal(x.array, y.array, equal_nan=True):
            raise unsteady(a.name, f"a tensor is made in it, first {x!r}, then {y!r}", node.line)
    if structure != other_structure or not all(map(is_same_return, leaves, others)):
        message = f"it returned first {show_leaves(leaves)}, then {show_leaves(others)}"
        raise unsteady(a.name, message)


def is_same_return(x, y):
    """True when two traces returned the same."""
    if isinstance(x, Node) or isinstance(y, Node):
        return isinstance(x, Node) and isinstance(y, Node) and x.order == y.order
    if isinstance(x, ARRAYS):
        return isinstance(y, ARRAYS) and x.dtype == y.dtype and x.tobytes() == y.tobytes()
    return freeze_value(x) == freeze_value(y)


def show_leaves(leaves):
    """What a trace returned, as a text."""
    return ", ".join(map(repr, leaves)) or "nothing"


def unsteady(name, message, line=None):
    """The error for a function that depends on more than its arguments."""
    return GraphError(
        f"two traces of {name} differ: {message}",
        "it may read a clock, a random number or a counter; pass such a value as an "
        "argument, or draw with mg.random_normal",
        line,
    )


def find_difference(nodes, others):
    """The first two nodes that differ, looked for inside bodies as well; None for equal ones."""
    for m, n in zip(nodes, others):
        for f, g in zip(bodies_of(m), bodies_of(n)):
            inner = find_difference(f.nodes, g.nodes)
            if inner:
                return inner
        if facts(m) != facts(n):
            return m, n
    return None


def bodies_of(node):
    """The functions that a choice or a loop holds."""
    return [param for param in node.params.values() if isinstance(param, Fn)]


def facts(node):
    """What must agree between two traces of a node; of a body, how it is wired."""
    value = node.value.tobytes() if isinstance(node, Constant) else None
    params = {
        name: [[v.order for v in values] for values in (param.inputs, param.nodes, param.outputs)]
        if isinstance(param, Fn)
        else param
        for name, param in node.params.items()
    }
    return node.op, [x.order for x in node.inputs], params, node.shape, node.dtype, value


def show_node(node):
    """A node as a message shows it."""
    return f"the constant {node.value}" if isinstance(node, Constant) else repr(node)
