"""Statements of a graph: what changes something, or prints, when it runs."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minigrad.core.autodiff import ancestors
from minigrad.core.errors import ArgumentError, DtypeError, GraphError, ShapeError
from minigrad.core.modes import open_graph
from minigrad.core.op import Discrete, Op, Operandlike, bind
from minigrad.core.signatures import takes_one
from minigrad.core.spec import Spec
from minigrad.static.graph import Group, Node, PlaceholderOp, Variable, lift_into


def control_dependencies(nodes: Iterable[Node]) -> AbstractContextManager[None]:
    """Run the given nodes with everything that is built inside the `with` block.

    Raises GraphError in the body of a loop or a choice, for nodes of another graph than the open
    one, and at the end of a block in which nothing was built that could depend on them.

    >>> with mg.Graph() as graph:
    ...     n = mg.Variable([0.0])
    ...     with mg.control_dependencies([mg.assign_add(n, [1.0])]):
    ...         y = mg.constant([5.0]) * 1
    >>> session = mg.Session(graph)
    >>> session.run(y), session.run(n)
    (array([5.]), array([1.]))
    """
    nodes = list(nodes)
    for node in nodes:
        check_control(node, nodes[0])
    return ControlBlock(nodes) if nodes else nullcontext()


def check_control(node: Any, first: Any) -> None:
    """Raises GraphError for what nothing that is built now can depend on."""
    if not isinstance(node, Node):
        raise GraphError(f"{node!r} is not a Node, so nothing can depend on it", "pass nodes")
    graph = open_graph()
    if graph is not None and graph.outer is not None and (node.graph is not graph or acts(node)):
        message = f"the {graph.name} holds a control dependency, which a body cannot"
        hint = "write `with mg.control_dependencies(...):` around the loop or choice"
        raise GraphError(message, hint)
    graph = first.graph if graph is None else graph
    if node.graph is not graph:
        message = f"{node!r} belongs to {node.graph}, but the open graph is {graph}"
        raise GraphError(message, "depend on nodes of the graph that is open")


def acts(node: Node) -> bool:
    """True where it shows whether a node is computed."""
    return any(v.op.effect or not v.op.pure for v in ancestors([node]))


class ControlBlock:
    """A `with` block in which new nodes of a graph depend on `nodes`."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes, self.graph = nodes, nodes[0].graph

    def __enter__(self) -> None:
        self.before, self.start = self.graph.controls, len(self.graph.nodes)
        self.graph.controls = [*self.before, *self.nodes]

    def __exit__(self, kind: Any, *exception: Any) -> None:
        self.graph.controls = self.before
        made = self.graph.nodes[self.start :]
        if kind is None and all(node.op is PlaceholderOp for node in made):
            message = f"no op is built in this block, so nothing depends on {self.nodes[0]!r}"
            raise GraphError(message, "build in it what is fetched: y = x * 1, not y = x")


class Assign(Discrete):
    """variable ← value, when it runs; z = the value."""

    effect = True
    says = "The update replaces {x} with {y} when the run ends."

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
    says = "{z} is {x}, which this step prints."
    says_back = "Printing changes no number, so {to} receives {amount}."
    jvp = (lambda x, z, x_dot, *, message: x_dot,)
    vjp = (lambda x, z, z_bar, *, message: z_bar,)
    reads = ("",)

    def infer(x: Any, *, message: str) -> Any:
        return x

    def compute(x: Any, *, message: str) -> Any:
        print(f"{message}{x}")
        return x


def assign(variable: Variable, value: Operandlike) -> Node:
    """Build variable ← value, which runs when it is fetched, after what was built before.

    >>> graph = mg.Graph()
    >>> with graph:
    ...     w = mg.Variable([1.0, 2.0])
    ...     step = mg.assign(w, w * 10)
    >>> mg.Session(graph).run(step)
    array([10., 20.])
    """
    if not isinstance(variable, Variable):
        message = f"{variable!r} is not a Variable, so it stores no value"
        raise GraphError(message, "create it with mg.Variable(initial)")
    node: Node = bind(Assign, variable, value)
    for made in (node, node.inputs[1]):
        node.graph.ledger.note("update", made, variable)
    return node


def assign_add(variable: Variable, amount: Operandlike) -> Node:
    """Build variable ← variable + amount, which runs when it is fetched.

    >>> graph = mg.Graph()
    >>> with graph:
    ...     w = mg.Variable([1.0, 2.0])
    ...     step = mg.assign_add(w, [1.0, 1.0])
    >>> mg.Session(graph).run(step)
    array([2., 3.])
    """
    return assign(variable, variable + amount)


def assign_sub(variable: Variable, amount: Operandlike) -> Node:
    """Build variable ← variable - amount, which runs when it is fetched.

    >>> graph = mg.Graph()
    >>> with graph:
    ...     w = mg.Variable([1.0, 2.0])
    ...     step = mg.assign_sub(w, [1.0, 1.0])
    >>> mg.Session(graph).run(step)
    array([0., 1.])
    """
    return assign(variable, variable - amount)


@takes_one
def print_(x: Operandlike, message: Any = "") -> Any:
    """Compute z = x, and print `message` and x's value whenever it runs, when something needs z.

    In a traced function a number is printed at each call as well.

    >>> with mg.Graph() as graph:
    ...     x = mg.print_(mg.constant([1.0]), "x is")
    >>> mg.Session(graph).run(x * 2)
    x is[1.]
    array([2.])
    """
    graph = open_graph()
    if graph is not None and (graph.tracer or graph.outer):
        x = lift_into(graph, x)
    return bind(Print, x, message=str(message))


def group(*nodes: Node) -> Node:
    """Create a node that runs all of `nodes`; fetching it gives None.

    >>> with mg.Graph() as graph:
    ...     a, b = mg.Variable([1.0]), mg.Variable([2.0])
    ...     both = mg.group(mg.assign(a, b), mg.assign(b, a))
    >>> session = mg.Session(graph)
    >>> session.run(both)
    >>> session.run([a, b])
    [array([2.]), array([2.])]
    """
    if not nodes:
        raise ArgumentError("group() of nothing", "pass the nodes to run together")
    if not any(isinstance(x, Node) for x in nodes) and open_graph() is None:
        message = f"group({nodes[0]!r}): it is not a Node, so it has already been computed"
        raise GraphError(message, "pass nodes of a Graph; leave group out elsewhere")
    node: Node = bind(Group, *nodes)
    return node
