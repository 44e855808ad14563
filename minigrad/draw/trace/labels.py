"""What the values of a trace are called, and which node of a drawing each of them is."""

from collections import Counter

from minigrad.draw.read import peek, value_text
from minigrad.draw.read.outline import outline
from minigrad.draw.scene import bar, dotted


class Labels:
    """Ids and names of all values that `results` depend on; `names` as in `draw`."""

    def __init__(self, results, names=None):
        self.known = dict(names or {})
        self.graph = outline(results, self.known)
        self.at = {id(value): at for at, value in enumerate(self.graph.values)}
        ends = [
            name.removeprefix(f"{scope}/")
            for name, scope in zip(self.graph.names, self.graph.scopes)
        ]
        count = Counter(ends)
        self.texts = [
            self.text(at, end if count[end] == 1 else self.graph.names[at])
            for at, end in enumerate(ends)
        ]

    def text(self, at, name):
        """The learner's name, without its scope where that is clear; a constant's number; v3."""
        if name:
            return name
        if self.graph.roles[at] == "constant":
            return value_text(self.graph.values[at]) or f"c{at}"
        return f"v{at}"

    def id(self, value):
        """The id of a value's node."""
        return f"n{self.at[id(value)]}"

    def name(self, value):
        """What sentences call a value."""
        return self.texts[self.at[id(value)]]

    def bar(self, value):
        """The name of its adjoint."""
        return bar(self.name(value))

    def dot(self, value):
        """The name of its tangent."""
        return dotted(self.name(value))

    def role(self, value):
        """input, variable, constant or op."""
        return self.graph.roles[self.at[id(value)]]


def line_of(value):
    """Where the learner made a value, if that is known."""
    return peek(value, "line")
