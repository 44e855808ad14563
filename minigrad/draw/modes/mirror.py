"""The backward half of a mirrored drawing: one adjoint per primal on a differentiable path."""

from minigrad.draw.read import peek
from minigrad.draw.scene import Edge
from minigrad.draw.modes.shadows import Shadows


class Mirror(Shadows):
    """Adjoint nodes and edges derived from a forward scene."""

    role, ending, sign = "adjoint", "_bar", "over"

    def __init__(self, *forward, partials=None, **more):
        super().__init__(*forward, **more)
        self.partials = partials or {}
        self.backward, self.saved = list(self.backward_edges()), list(self.saved_edges())

    def default(self, value):
        """The value's own `.grad`."""
        return peek(value, "grad")

    def backward_edges(self):
        """Every forward edge between two adjoints, turned round, with its share if known."""
        shares = {ends: list(texts) for ends, texts in self.partials.items()}
        for edge in self.primal.edges:
            if edge.source in self.ids and edge.target in self.ids:
                known = shares.get((edge.source, edge.target))
                share = known.pop(0) if known else ""
                yield Edge(self.ids[edge.target], self.ids[edge.source], "adjoint", label=share)

    def saved_edges(self):
        """From every primal that an op's backward rule reads to the adjoint where it is read."""
        seen = set()
        for index in self.groups:
            target = self.primal.ids[index]
            for at in self.folding.groups[index].members:
                for source in self.reads(at):
                    owner = self.primal.owner.get(source)
                    if owner is not None and (owner, index) not in seen:
                        seen.add((owner, index))
                        yield Edge(self.primal.ids[owner], self.ids[target], "saved")

    def reads(self, at):
        """The positions of the primals that the rule of `at` reads: operands, or itself ("z")."""
        inputs = self.outline.inputs[at]
        try:
            said = self.outline.values[at].op.values_read([True] * len(inputs))
            return [at if one == "z" else inputs[one] for one in sorted(said, key=str)]
        except Exception:
            return []
