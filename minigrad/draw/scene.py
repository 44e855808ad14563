"""What a drawing shows, as plain data: nodes with their texts, edges with their kinds."""

from typing import NamedTuple
from unicodedata import normalize


class Span(NamedTuple):
    """A piece of a label line."""

    text: str
    bold: bool = False
    over: bool = False  # overlined: an adjoint

    def __str__(self):
        return bar(self.text) if self.over else self.text


class Node(NamedTuple):
    """One drawn box; `call`, `name`, `spec` and `value` are its row in the listing."""

    id: str
    role: str  # a key of look.ROLES
    lines: tuple  # of tuples of Span
    call: str = ""
    name: str = ""
    spec: str = ""
    value: str = ""
    scope: str = ""
    result: bool = False
    of: str = ""  # the id of the primal, for an adjoint
    shape: str = ""  # an outline other than its role's: an adjoint takes its primal's

    def texts(self):
        """The lines of the label as plain text."""
        return ["".join(map(str, line)) for line in self.lines]


class Edge(NamedTuple):
    """An arrow between two nodes; `slot` is the operand's place, where the order matters."""

    source: str
    target: str
    kind: str = "data"  # a key of look.EDGES
    slot: int = 0
    label: str = ""


class Scene(NamedTuple):
    """A whole drawing before layout; `table` replaces the nodes where there are too many."""

    mode: str
    nodes: tuple
    edges: tuple
    title: str = ""
    notes: tuple = ()
    total: int = 0
    results: tuple = ()
    table: tuple = ()  # of (what, how many)

    def node(self, id):
        """The node of that id."""
        return next(node for node in self.nodes if node.id == id)


def bar(name):
    """The name with a line over it, as text: v̄3, w̄, l̅o̅s̅s̅."""
    stem, digits = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
    if len(stem) == 1:
        return normalize("NFC", f"{stem}\u0304{digits}")
    return "".join(f"{char}\u0305" for char in name)
