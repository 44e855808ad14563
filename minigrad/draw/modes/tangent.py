"""The tangents of a forward drawing: one per primal on a differentiable path."""

from minigrad.draw.scene import Edge
from minigrad.draw.modes.shadows import Shadows


class Tangents(Shadows):
    """Tangent nodes and edges derived from a forward scene: they run with it."""

    role, ending, sign = "tangent", "_dot", "dot"

    def __init__(self, *forward, **more):
        super().__init__(*forward, **more)
        self.edges = [
            Edge(self.ids[edge.source], self.ids[edge.target], "tangent")
            for edge in self.primal.edges
            if edge.source in self.ids and edge.target in self.ids
        ]

    def default(self, value):
        """No value keeps its tangent."""
        return None
