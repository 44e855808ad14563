"""A graph as a function of named arrays."""

from typing import Any, Protocol, TypeVar, overload

from minigrad.core.errors import FeedError
from minigrad.core.pytree import flatten
from minigrad.core.signatures import Array
from minigrad.static.feeds import check_fetches
from minigrad.static.graph import Node, PlaceholderOp, default_graph
from minigrad.static.program import suggest_feed
from minigrad.static.session import N, Session, expect_session

Result = TypeVar("Result", covariant=True)


class NamedFunction(Protocol[Result]):
    """A function of named arrays; `session` is what runs it."""

    session: Session

    def __call__(self, **arrays: Any) -> Result: ...


@overload
def compile(outputs: Node, session: Session | None = None) -> NamedFunction[Array]: ...
@overload
def compile(outputs: list[N], session: Session | None = None) -> NamedFunction[list[Array]]: ...
@overload
def compile(outputs: Any, session: Session | None = None) -> NamedFunction[Any]: ...


def compile(outputs: Any, session: Session | None = None) -> Any:
    """Return a function of named arrays: f(x=…, w=…) gives `outputs` with the same structure.

    The names are those of the graph's placeholders; those that the outputs need must be given.

    >>> with mg.Graph():
    ...     y = mg.placeholder("x", (2,)) ** 2
    >>> mg.compile(y)(x=[2.0, 3.0])
    array([4., 9.])
    """
    nodes, structure = flatten(outputs)
    graph = nodes[0].graph if nodes and isinstance(nodes[0], Node) else default_graph()
    session = Session(graph) if session is None else expect_session(session)
    check_fetches(nodes, session.graph)
    inputs = {n.name: n for n in graph.nodes if n.op is PlaceholderOp and n.name}

    def call(**arrays: Any) -> Any:
        unknown = sorted(set(arrays) - set(inputs))
        if unknown:
            message = f"{unknown[0]!r} is not an input"
            raise FeedError(message, f"the inputs are {', '.join(sorted(inputs))}")
        try:
            return session.run(outputs, {inputs[name]: value for name, value in arrays.items()})
        except FeedError as error:
            suggest_feed(error, inputs, "f({}=value)")
            raise

    call.session = session  # type: ignore[attr-defined]  # functions take attributes
    return call
