"""A graph with names for what goes in and what comes out."""

from typing import Any

from minigrad.core.errors import FeedError
from minigrad.static.graph import Graph, Node, Variable
from minigrad.static.program import suggest_feed
from minigrad.static.session import Session


class Net:
    """What load and from_config return.

    `graph`; `outputs`, nodes in the nest in which they were saved or named; `inputs`, {name:
    placeholder}; `variables`, {name: Variable}; `nodes`, {name: node}; `modules`, {name: layer}
    of a description; `session`, which holds the variables and goes on counting `runs`. Build on
    it inside `with net.graph:`.
    """

    def __init__(
        self,
        graph: Graph,
        outputs: Any,
        inputs: dict[str, Node],
        modules: dict[str, Any] | None = None,
        runs: int = 0,
    ) -> None:
        self.graph, self.outputs, self.inputs = graph, outputs, inputs
        self.modules, self.session = modules or {}, Session(graph)
        self.session.runs = runs

    def __repr__(self) -> str:
        return f"<net: {', '.join(self.inputs) or 'no inputs'}; {len(self.graph.nodes)} nodes>"

    @property
    def variables(self) -> dict[str, Variable]:
        """{name: Variable}, in order of creation; one without a name goes by its number."""
        return nodes_by_name(self.graph.variables)

    @property
    def nodes(self) -> dict[str, Node]:
        """{name: node} of all that can be fetched or fed, in order of creation."""
        return nodes_by_name(self.graph.nodes)

    def __call__(self, /, **arrays: Any) -> Any:
        """The outputs, in their nest, for inputs given by name: net(x=array)."""
        return self.fetch(self.outputs, arrays, "net({}=value)")

    def run(self, fetches: Any, arrays: dict[str, Any]) -> Any:
        """The values of `fetches` for {name of an input: array}. Raises FeedError."""
        return self.fetch(fetches, arrays, 'net.run(…, {{"{}": value}})')

    def fetch(self, fetches: Any, arrays: dict[str, Any], call: str) -> Any:
        """The same; `call` is what the hint for a missing input says."""
        for name in arrays:
            if name not in self.inputs:
                message = f"{name!r} is not an input"
                raise FeedError(message, f"the inputs are {', '.join(self.inputs) or 'none'}")
        try:
            return self.session.run(fetches, {self.inputs[n]: a for n, a in arrays.items()})
        except FeedError as error:
            suggest_feed(error, self.inputs, call)
            raise


def nodes_by_name(nodes):
    """{name: node}, in order of creation; one without a name goes by its number, as %3.

    More % stand before the number while another node has that name.
    """
    taken, found = {node.name for node in nodes}, {}
    for node in nodes:
        name = node.name or f"%{node.order}"
        while not node.name and name in taken:
            name = f"%{name}"
        found[name] = node
    return found
