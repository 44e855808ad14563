"""The static engine's graph: nodes that wait to be computed by a Session."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from minigrad.core.errors import ArgumentError, GradientError, GraphError, Line, user_line
from minigrad.core.modes import CompositeCall, composite_call, open_graph, opened
from minigrad.core.op import Discrete, Op, Operandlike, Value, explain_error
from minigrad.core.ops.elementwise import Identity
from minigrad.core.ops.shape import lengths_tuple
from minigrad.core.signatures import Params, Values
from minigrad.core.spec import (
    Shape,
    Spec,
    as_array,
    is_float,
    is_scalar,
    number_type,
    scalar_like,
    spec_of,
)
from minigrad.static.provenance import Ledger, SweepRecord
from minigrad.static.unevaluated import Unevaluated

# nodes -------------------------------------------------------------------------------------------


class Node(Unevaluated):
    """A value of the static engine: an `op` applied to `inputs`, with a shape and a dtype.

    It has no numbers until a Session runs it. `line` is where the learner made it. A node reads a
    variable as the assignments that were built before it leave it; one of a derivative as those
    before the node it belongs to, whose number is then its `version`. A node of a Program has a
    `source`, the node of the learner's graph that it comes from. Nodes of one call of a composite
    function, such as conv2d, are `made_by` it.
    """

    __slots__ = """graph op inputs params shape dtype name scope order line
        controls segment version source made_by""".split()
    priority = 2

    graph: "Graph"
    op: type[Op]
    inputs: tuple["Node", ...]
    params: dict[str, Any]
    shape: Shape
    dtype: np.dtype[Any]
    name: str | None
    scope: str
    line: Line | None
    controls: tuple["Node", ...]
    segment: int | None
    version: int | None
    source: "Node | None"
    made_by: CompositeCall | None

    _room = "node"

    def __init__(
        self,
        graph: "Graph",
        op: type[Op],
        inputs: tuple["Node", ...],
        params: dict[str, Any],
        spec: Spec,
        name: str | None = None,
    ) -> None:
        self.graph, self.op, self.inputs, self.params = graph, op, inputs, params
        self.shape, self.dtype = spec
        self.line, self.scope = user_line(), "/".join(graph.scopes)
        self.name = name and graph.unique_name(name)
        self.controls, self.segment, self.version = tuple(graph.controls), None, graph.version
        self.source, self.made_by = None, composite_call.get()
        self.order = graph.append(self)

    def __repr__(self) -> str:
        arguments = ", ".join([x.name or f"%{x.order}" for x in self.inputs])
        name = f" {self.name}" if self.name else ""
        return f"%{self.order}{name} = {self.op}({arguments}): {Spec(self.shape, self.dtype)}"

    @property
    def role(self) -> str:
        """What a drawing shows it as."""
        return ROLES.get(self.op, "op")

    @property
    def differentiable_leaf(self) -> bool:
        """True for a float that is fed or stored."""
        return self.op in (PlaceholderOp, VariableOp) and is_float(self.dtype)

    @property
    def read_version(self) -> int:
        """The number of the node before which assignments count for what this one reads."""
        return self.order if self.version is None else self.version

    def at_version(self) -> "AtVersion":
        """Nodes built inside read variables as this one does."""
        return AtVersion(self.graph, self.read_version)

    def read_value(self) -> "Node":
        """The node itself: which version of variables it reads is known by where it was built."""
        return self

    def with_statements(self, ys: Any, start: int) -> "Node":
        """This value; to fetch it runs the statements, from node `start` on, that ys need."""
        graph = self.graph
        if graph.tracer or graph.outer:  # all that a traced function prints runs; a body has none
            return self
        needed = find_statements(ys, start)
        with graph.override("controls", lambda now: [*now, *needed]):
            return Node(graph, Identity, (self,), {}, spec_of(self)) if needed else self

    def recompute(self, path: dict[Any, Any], checkpoints: Any) -> Any:
        """What gives reverse mode the values of a path, of which the checkpoints are kept."""
        from minigrad.compiler.checkpoint import Recompute

        return Recompute(path, checkpoints)

    def stretchable(self) -> Values:
        """The places of operands with an unknown length that a run may repeat."""
        return self.op.stretchable(self.inputs, self.params)

    def record_sweep(self, kind: str) -> SweepRecord:
        """What writes the steps of a sweep into the ledger of the graph that it adds to."""
        return SweepRecord(self.home.ledger, kind)

    def recorded_steps(self) -> list[tuple[Any, ...]]:
        """The steps of the last backward pass from this node: (value, adjoint, what it passes on).

        Raises GradientError where none was made.
        """
        steps = self.graph.ledger.last_sweep(self)
        if not steps:
            message = f"{self.name or 'this node'} was not differentiated"
            raise GradientError(message, "call gradients(y, xs) first")
        return [(step.value, step.derivative, step.contributions) for step in steps[1:]]

    @property
    def home(self) -> "Graph":
        """Where what is computed from this node goes: its graph, or the open body inside it.

        Raises GraphError where its graph takes no more nodes, or what is open must get them.
        """
        graph: Graph | None = open_graph()
        if graph is self.graph:
            return self.graph
        if graph is not None and graph.lies_in(self.graph):
            return graph
        if self.graph.closed:
            raise self._left_over()
        if graph is not None and (graph.outer or graph.tracer):
            graph.capture(self)
        return self.graph

    def extend(self, op: type[Op], inputs: Values, params: Params) -> Any:
        """A new node: op(inputs). Raises when shapes or dtypes do not fit."""
        graph = self.home
        nodes = tuple(
            [
                x if isinstance(x, Node) and x.graph is graph else lift_into(graph, x, inputs)
                for x in inputs
            ]
        )
        if op is not Group and any([x.op is Group for x in nodes]):
            message = f"{op.verb} of a group(…), which runs its nodes and has no value"
            raise GraphError(message, "fetch it, or name it in mg.control_dependencies([…])")
        try:
            spec = op.infer(*map(spec_of, nodes), **params)
        except Exception as error:
            raise explain_error(error, op, nodes, params) from None
        node = Node(graph, op, nodes, params, spec)
        return graph.tracer.add_node(node) if graph.tracer else node

    def lift(self, x: Operandlike) -> "Node":
        """x as a node of the graph in which this node is used."""
        return lift_into(self.home, x, [self])

    def coerce(self, x: Operandlike) -> "Node":
        """x as a node of this node's graph."""
        return lift_into(self.graph, x, [self])


def find_statements(ys: Iterable[Node], start: int) -> list[Node]:
    """What ys need that must run, in order, of the nodes from number `start` on."""
    found: dict[int, Node] = {}
    waiting: list[Node] = list(ys)
    demanded: set[int] = set()
    while waiting:
        v = waiting.pop()
        if v.order >= start and v.order not in found:
            found[v.order] = v
            waiting.extend(v.inputs + v.controls)
            demanded.update(c.order for c in v.controls)
    orders = sorted(order for order, v in found.items() if v.op.effect or order in demanded)
    return [found[order] for order in orders]


class AtVersion:
    """A `with` block in which new nodes of a graph read variables as node `version` does."""

    __slots__ = ("graph", "version", "before")

    def __init__(self, graph: "Graph", version: int) -> None:
        self.graph, self.version = graph, version

    def __enter__(self) -> None:
        self.before, self.graph.version = self.graph.version, self.version

    def __exit__(self, *exception: Any) -> None:
        self.graph.version = self.before


def lift_into(graph: "Graph", x: Operandlike, inputs: Sequence[Any] = ()) -> Node:
    """x as a node of the graph; a Python number takes a dtype that does not widen `inputs`."""
    if isinstance(x, Value) and not isinstance(x, Node):
        x = graph.tracer.capture(x) if graph.tracer else plain_array(x)
    if isinstance(x, Node):
        return graph.capture(x)
    if is_scalar(x):
        x = scalar_like(x, [spec_of(v).dtype for v in inputs if not is_scalar(v)])
    return Constant(graph, as_array(x))


def plain_array(tensor: Any) -> np.ndarray:
    """A Tensor's numbers for a graph. Raises when a derivative would be lost by it."""
    if tensor.requires_grad:
        message = "a Tensor that requires grad cannot enter a Graph, where its derivative would end"
        raise GraphError(message, "use a Variable, or pass x.detach()")
    numbers: np.ndarray = tensor.array
    return numbers


class SourceOp(Op):
    """An op without inputs: its value comes from outside."""

    says = "{z} is given. Its value is {value}."


class PlaceholderOp(SourceOp):
    """A value that is fed."""

    says = "You fed {z} with {value}."


class ConstantOp(SourceOp):
    """A value fixed when the graph is built."""

    says = "{z} is a constant. Its value is {value}."


class VariableOp(SourceOp):
    """A value stored in the Session between runs."""

    says = "{z} is a variable. Its value in this Session is {value}."


class RunIndex(SourceOp):
    """How many runs the Session has made before this one."""

    says = "{z} counts the runs that this Session has made before, which is {value}."


class Group(Discrete):
    """Runs all its operands; has no value."""

    effect = True
    says = "This step runs {xs} and has no value of its own."

    def infer(*nodes: Any) -> Spec:
        return Spec((), np.dtype(bool))

    def compute(*values: Any) -> None:
        return None


for source in (PlaceholderOp, ConstantOp, VariableOp):
    source.__name__ = source.__name__.removesuffix("Op")  # as a learner meets it
ROLES: dict[type[Op], str] = {
    PlaceholderOp: "input",
    ConstantOp: "constant",
    VariableOp: "variable",
}


class Constant(Node):
    """A node whose value, a read-only array, is fixed when the graph is built."""

    __slots__ = ("value",)

    def __init__(self, graph: "Graph", value: Any, name: str | None = None) -> None:
        self.value = np.array(value, order="C")
        self.value.flags.writeable = False
        super().__init__(graph, ConstantOp, (), {}, spec_of(self.value), name)


class Variable(Node):
    """A node whose value lives in the Session between runs and starts as `initial`.

    `initial` is an array, numbers, or a node such as mg.zeros((2, 3)), which is computed at once.
    Keeps NumPy's dtypes. `trainable` variables are what an optimiser's minimize changes.
    """

    __slots__ = ("initial", "trainable")

    def __init__(self, initial: Any, name: str | None = None, trainable: bool = True) -> None:
        value = initial_array(initial) if isinstance(initial, Value) else as_array(initial)
        self.initial, self.trainable = compact_initial(value), trainable
        super().__init__(default_graph(), VariableOp, (), {}, spec_of(self.initial), name)

    def read_value(self) -> Node:
        """A node for the value that the variable has by now."""
        return Node(self.graph, Identity, (self,), {}, spec_of(self))


def initial_array(x: Any) -> np.ndarray:
    """The numbers of a Tensor, or of a node, which is computed in a Session of its own."""
    if not isinstance(x, Node):
        return plain_array(x)
    if isinstance(x, Constant):
        return x.value
    from minigrad.static.session import Session

    numbers: np.ndarray = Session(x.graph, optimize=False, backend="numpy").run(x)
    return numbers


def compact_initial(value: np.ndarray) -> np.ndarray:
    """A copy of an initial value; of one number, broadcast, only that number is kept."""
    if value.size > 1 and not any(value.strides):
        return np.broadcast_to(np.array(value.flat[0]), value.shape)
    return np.array(value, order="C")


DTYPE_NAME = re.compile(r"(float|u?int)\d*|double|half|bool")


def placeholder(
    name: str | None = None, shape: int | Sequence[int | None] | None = (), dtype: Any = float
) -> Node:
    """Create a node whose value is fed at run time. A length None is unknown until then.

    Where it is fed as 1 beside a longer one it is repeated; mg.ensure_shape holds it to a length.
    Raises ArgumentError where a dtype stands in the place of the name, as TensorFlow 1 has it.

    >>> with mg.Graph() as graph:
    ...     x = mg.placeholder("x", (2,))
    >>> mg.Session(graph).run(x * 2, {x: [1.0, 2.0]})
    array([2., 4.])
    """
    if name is not None and not (isinstance(name, str) and not DTYPE_NAME.fullmatch(name)):
        message = f"a placeholder's first argument is its name, not {name!r}"
        given = next((a for a in (name, shape) if isinstance(a, (int, tuple, list))), ())
        raise ArgumentError(message, f'write placeholder("x", {given!r}, float), or another dtype')
    lengths = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    known = iter(lengths_tuple([n for n in lengths if n is not None]))
    spec = Spec(tuple(None if n is None else next(known) for n in lengths), number_type(dtype))
    return Node(default_graph(), PlaceholderOp, (), {}, spec, name)


def constant(value: Any, name: str | None = None) -> Constant:
    """Create a node with a fixed value, of which it keeps a copy.

    >>> with mg.Graph() as graph:
    ...     c = mg.constant([1.0, 2.0])
    >>> mg.Session(graph).run(c * 2)
    array([2., 4.])
    """
    return default_graph().constant(value, name)


def run_index(graph: "Graph | None" = None) -> Node:
    """Create a node that counts a Session's runs from 0.

    >>> with mg.Graph() as graph:
    ...     n = mg.run_index()
    >>> session = mg.Session(graph)
    >>> [int(session.run(n)) for _ in range(3)]
    [0, 1, 2]
    """
    if not isinstance(graph, Graph | None):
        raise ArgumentError(f"run_index takes a Graph, not {graph!r}", "leave it out: run_index()")
    return (graph or default_graph()).run_index()


# graphs ------------------------------------------------------------------------------------------


class Graph:
    """Nodes in order of creation. `with graph:` makes new nodes go there.

    A `tracer`, while there is one, takes in what comes from outside and sees each new node.
    The graph of a body has an `outer` graph while it is built. A node of the outer graph that is
    used in the body becomes a formal node; `captured` maps its order to the pair of both.
    The graph of a body or a traced function is `closed` once that has been called: what is left
    of it in the learner's hands has no value. The `ledger` says what its nodes were made for.
    """

    nodes: list[Node]
    scopes: list[str]
    names_in_use: set[str]
    captured: dict[int, tuple[Node, Node]]
    tracer: Any
    controls: list[Node]
    version: int | None

    def __init__(self, name: str = "graph", outer: "Graph | None" = None) -> None:
        self.name, self.nodes, self.scopes, self.names_in_use = name, [], [], set()
        self.outer, self.captured = outer, {}
        self.tracer = outer.tracer if outer else None
        self.controls, self.version, self.closed = [], None, False

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.nodes)} nodes>"

    def __enter__(self) -> "Graph":
        opened.set((self, opened.get()))
        return self

    def __exit__(self, *exception: Any) -> None:
        opened.set(opened.get()[1])

    @contextmanager
    def override(self, what: str, change: Callable[..., Any]) -> Iterator[None]:
        """A `with` block in which an attribute is change(what it was before)."""
        before = getattr(self, what)
        setattr(self, what, change(before))
        try:
            yield
        finally:
            setattr(self, what, before)

    def constant(self, value: Any, name: str | None = None) -> Constant:
        """A node with a fixed value, kept as a copy."""
        return Constant(self, as_array(value), name)

    def run_index(self) -> Node:
        """A node that counts a Session's runs from 0."""
        return Node(self, RunIndex, (), {}, Spec((), np.dtype(np.int64)))

    def lies_in(self, graph: "Graph") -> bool:
        """True for a body that is being built inside `graph`, at any depth."""
        around = self.outer
        while around is not None and around is not graph:
            around = around.outer
        return around is not None

    def capture(self, node: Node) -> Node:
        """A node of this graph: the node itself, or the formal one for a node further out."""
        if node.graph is self:
            return node
        if node.graph.closed:
            raise node._left_over()
        if self.outer is None:
            message = f"{node!r} belongs to {node.graph}, not to {self}"
            hint = "build both inside one `with Graph():`"
            if self.tracer:
                hint = f"pass its value as an argument, and store what {self.name} returns"
            raise GraphError(message, hint)
        node = self.outer.capture(node)
        if self.outer.version is not None:
            node = node.read_value()
        if node.order not in self.captured:
            formal = Node(self, PlaceholderOp, (), {}, spec_of(node), node.name)
            self.captured[node.order] = node, formal
        return self.captured[node.order][1]

    def append(self, node: Node) -> int:
        """Adds a node; returns its number."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def unique_name(self, name: str) -> str:
        """`name` within the open scopes; _1, _2, … is added when it is taken."""
        full = wanted = "/".join([*self.scopes, name])
        count = 0
        while full in self.names_in_use:
            count += 1
            full = f"{wanted}_{count}"
        self.names_in_use.add(full)
        return full

    @cached_property
    def ledger(self) -> Ledger:
        """What its nodes were made for; the graph of a program, which nobody asks, has none."""
        return Ledger(self)

    @property
    def variables(self) -> list[Variable]:
        """The graph's variables, in order of creation."""
        return [n for n in self.nodes if isinstance(n, Variable)]


process_graph = Graph("default graph")


def default_graph() -> Graph:
    """Return the graph of the innermost open `with graph:`, else the one of the process.

    >>> with mg.Graph() as graph:
    ...     mg.default_graph() is graph
    True
    """
    return open_graph() or process_graph


def name_scope(name: str) -> AbstractContextManager[None]:
    """Put `layer1/` before names in `with name_scope("layer1"):`, and draw its nodes as a group.

    >>> with mg.Graph(), mg.name_scope("layer1"):
    ...     w = mg.Variable(1.0, name="w")
    >>> w.name
    'layer1/w'
    """
    if not isinstance(name, str) or not name:
        raise ArgumentError(f"a scope needs a name, not {name!r}", 'write name_scope("layer1")')
    return default_graph().override("scopes", lambda now: [*now, name])
