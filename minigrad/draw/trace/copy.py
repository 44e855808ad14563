"""A private copy of the part of a graph that is needed: looking at it changes nothing."""

from minigrad.graph import Node
from minigrad.program import Cutter, Program, check_fed, needed
from minigrad.spec import Spec


class Copy:
    """The Program of the learner's results, and which of its nodes stands for which of theirs."""

    def __init__(self, results, feeds, names):
        specs = {order: Spec(a.shape, a.dtype) for order, a in feeds.items()}
        nodes, cutter = needed(results, specs), Cutter(specs)
        check_fed(nodes, specs, results)
        for node in nodes:
            cutter.copy(node)
        self.new, self.feeds, self.learners = cutter.new, feeds, results[0].graph
        self.program = Program(
            cutter.graph,
            [self.new[n.order] for n in results],
            cutter.stores(),
            cutter.effects,
            cutter.feeds,
            cutter.variables,
        )
        self.names = {name: self.own(thing) for name, thing in (names or {}).items()}
        for name, node in self.names.items():  # passes keep the names of nodes
            if isinstance(node, Node) and node.graph is cutter.graph and not name.startswith("_"):
                node.name = node.name or name

    def own(self, thing):
        """The copy of a node, also in lists and among the keys of a dict; other things as is."""
        if isinstance(thing, Node):
            new = self.new.get(thing.order) if thing.graph is self.learners else None
            return thing if new is None else new
        if isinstance(thing, dict):
            return {self.own(k): v for k, v in thing.items() if isinstance(k, Node)}
        return [self.own(part) for part in thing] if isinstance(thing, (list, tuple)) else thing
