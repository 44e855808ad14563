"""Calls of a learner's functions with formal nodes, each of which leaves a body behind."""

from collections.abc import Callable, Iterable
from typing import Any

from minigrad.core.autodiff import ancestors
from minigrad.core.spec import Spec
from minigrad.static.control.fn import Fn, new_formal, refuse_statements
from minigrad.static.graph import Graph, Node, default_graph, lift_into


class BodyBuilder:
    """One call of `f` with formal nodes in a graph inside `outer`; `results` is what it gave."""

    def __init__(
        self, name: str, outer: Graph, labels: list[str], specs: list[Spec], f: Callable[..., Any]
    ) -> None:
        self.graph = Graph(name, outer)
        self.graph.tracer = outer.tracer
        with self.graph:
            self.inputs = [new_formal(self.graph, *formal) for formal in zip(specs, labels)]
            self.results = f(self.inputs)
        captured = [x for _, x in self.graph.captured.values()]
        refuse_statements(self.graph, [*self.inputs, *captured])


def close_bodies(*bodies: tuple["BodyBuilder", list[Any]]) -> tuple[list[Any], list[Node]]:
    """([Fn of each (body, outputs)], captured nodes): all take the same inputs, captured last."""
    bodies = [(body, [lift_into(body.graph, x) for x in outputs]) for body, outputs in bodies]
    captured = {}
    for body, outputs in bodies:
        used = {v.order for v in ancestors(outputs)}
        pairs = body.graph.captured.values()
        captured |= {outside.order: outside for outside, x in pairs if x.order in used}
    fns = []
    for body, outputs in bodies:
        inputs = [*body.inputs, *map(body.graph.capture, captured.values())]
        fns.append(Fn(body.graph.name, inputs, outputs))
        body.graph.outer = body.graph.tracer = None
        body.graph.closed = True
    return fns, list(captured.values())


def graph_for(values: Iterable[Any]) -> Graph:
    """The graph in which these values meet: that of a node among them, else the open one."""
    return next((x.home for x in values if isinstance(x, Node)), None) or default_graph()
