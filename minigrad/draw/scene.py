"""What a drawing shows, as plain data: nodes with their texts, edges with their kinds, frames."""

from typing import NamedTuple
from unicodedata import normalize

MARK = "\x01"  # begins the part of a frame's path that is no name scope: names never hold it
FLOWS = ("data", "inplace", "gone", "control")  # the kinds of edges that say where nodes stand


class StripRow(NamedTuple):
    """A row of a strip: what is carried, its adjoint, or what each iteration adds to another."""

    name: str
    kind: str  # "value" | "adjoint" | "share"
    cells: tuple  # of text
    total: tuple = ()  # of Terms: what the cells of a "share" add up to


class Strip(NamedTuple):
    """The iterations of a loop side by side: at the start, after the first, and so on."""

    columns: tuple  # of text
    rows: tuple
    now: int | None = None  # the column of the iteration that is drawn
    part: str = ""  # "value" or "adjoint", where only these rows are drawn

    def texts(self):
        """Its rows as lines of text."""
        signs = {"value": str, "adjoint": with_bar, "share": lambda name: f"into {with_bar(name)}"}
        for row in self.drawn_rows():
            total = ["".join(term.text for term in row.total)] * bool(row.total)
            yield f"{signs[row.kind](row.name)}: {', '.join(filter(None, (*row.cells, *total)))}"

    def drawn_rows(self):
        """The rows that are drawn."""
        parts = {"value": ("value",), "adjoint": ("adjoint", "share")}
        return [row for row in self.rows if row.kind in parts.get(self.part, (row.kind,))]


class DrawnNode(NamedTuple):
    """One drawn card; `call`, `name`, `spec`, `value` and `more` are its row in the listing."""

    id: str
    role: str  # a key of look.ROLES
    sign: str = ""  # of its operation, on the rim: "+", "tanh", "+1"
    label: str = ""  # its name on the card
    number: str = ""  # its value on the card
    form: str = ""  # its shape on the card, where that is news: "32×64"
    formula: tuple = ()  # rows of Terms: of a closed loop, what an iteration computes
    strip: Strip | None = None  # of a closed loop, its iterations
    lines: tuple = ()  # of text below: its parameters, its bytes, its buffer
    call: str = ""
    name: str = ""
    spec: str = ""
    value: str = ""
    more: str = ""  # its buffer, for one
    scope: str = ""  # the path of its frame
    result: bool = False
    of: str = ""  # the id of the primal, for an adjoint or a tangent
    fill: str = ""  # a colour other than its role's: a buffer's, as "b3"
    mark: str = ""  # "ring": changed; "gone": removed; "later": not computed yet
    caption: str = ""  # a word above the card
    opens: str = ""  # what `expand` opens it by, where it is closed
    inside: int = 0  # so many values stand for this one node
    saved: bool = False  # a backward rule reads it
    count: int = 1  # of the equal cards that it stands for, as a pile
    same: bool = False  # an adjoint that is another one, too

    def texts(self):
        """The texts of the card, line by line: sign, "name = value", shape, and what is below."""
        name = SIGNS[self.role](self.label) if self.of and self.label else self.label
        head = " = ".join(filter(None, (name, self.number)))
        parts = (self.sign, head, self.form, *self.formula_texts(), *self.lines)
        return list(filter(None, parts))

    def formula_texts(self):
        """The rows of its formula as text."""
        rows = ("".join(term.text for term in row).strip() for row in self.formula)
        return [row.replace(" " * 5, "; ") for row in rows]


class Edge(NamedTuple):
    """An arrow between two nodes; `slot` is the operand's place, where the order matters, and
    `caption` a word beside it."""

    source: str
    target: str
    kind: str = "data"  # a key of look.EDGES
    slot: int = 0
    label: str = ""
    caption: str = ""

    def reverse(self):
        """The edge that runs the other way."""
        return self._replace(source=self.target, target=self.source)


class Frame(NamedTuple):
    """A box around nodes: a name scope, the body of a loop or a branch, a fused group."""

    path: str  # what the scope of its nodes begins with
    kind: str = "scope"  # a key of look.FRAMES
    lines: tuple = ()  # of text
    ends: tuple = ()  # the ids in its last column
    starts: tuple = ()  # the ids in its first column
    carry_count: int = 0  # so many of both, from the first on, are joined by the arc of a loop
    closed: str = ""  # what it is called where it is closed
    condition: tuple = ()  # of Terms, beside its head: when the loop goes on
    strip: Strip | None = None  # of an open loop, its iterations, below it
    body: object = None  # a read.bodies.OpenLoop, of which a mode writes the condition

    def texts(self):
        """Its words, line by line."""
        said = "".join(term.text for term in self.condition).replace(" " * 5, "; ")
        return [*self.lines, *[said] * bool(said)]


def handle_of(path):
    """What `expand` and `collapse` call the frame of a path: "layer0/inner", "n12"; "" for a part
    of a body, which opens and closes with it."""
    last = path.rpartition("/")[2]
    if not last.startswith(MARK):
        return path if MARK not in path else ""
    id = last[1:].partition(MARK)[0]
    return "" if id == "c" else id


class Scene(NamedTuple):
    """A whole drawing before layout."""

    mode: str
    nodes: tuple
    edges: tuple
    title: str = ""
    notes: tuple = ()
    total: int = 0
    results: tuple = ()
    frames: tuple = ()  # those that are no name scopes
    legend: tuple = ()  # of (a key of look.BUFFERS, text)
    under: "Scene | None" = None  # the larger scene whose layout places these nodes
    room: "Scene | None" = None  # the scene of all pictures in a row, of which this is one
    stages: tuple = ()  # of such a scene of all: the scenes that have room in it
    code: tuple = ()  # lines of a program, below the picture
    owners: dict = {}  # id of a value → id of the node that it is drawn in
    always_in_key: tuple = ()  # marks that the key names, though no card may bear them now
    step: object = None  # of a training step in lanes: its cards and formulas
    page: float = 0  # how wide its lanes may be, where that is not as wide as a page
    timetable: object = None  # of a memory plan: its columns and blocks
    halves: bool = False  # whether each derivative is the other half of its value's card
    upright: bool = False  # whether it runs down, on a narrow page
    rides: bool = True  # whether a leaf may stand close upon the node that reads it

    def node(self, id):
        """The node of that id."""
        return next(node for node in self.nodes if node.id == id)

    def flows(self):
        """The edges that say where nodes stand."""
        return [edge for edge in self.edges if edge.kind in FLOWS]

    def plus(self, nodes, edges):
        """The scene with more nodes and edges."""
        return self._replace(nodes=(*self.nodes, *nodes), edges=(*self.edges, *edges))

    def remarks(self):
        """The lines below the drawing: the words of the legend, and the notes."""
        return [*(text for _, text in self.legend), *self.notes]

    def frame(self, path):
        """The frame of a path: one of `frames`, else that of a name scope."""
        known = (frame for frame in self.frames if frame.path == path)
        return next(known, None) or Frame(path, lines=(path.split("/")[-1],))


def with_bar(name):
    """The name with a line over it, as text: v̄3, w̄, l̅o̅s̅s̅."""
    stem, digits = stem_and_digits(name)
    if len(stem) == 1:
        return normalize("NFC", f"{stem}\u0304{digits}")
    return "".join(f"{char}\u0305" for char in name)


def with_dot(name):
    """The name with a dot over it, as text: v̇3, ẇ; after it where it is longer: loss˙."""
    stem, digits = stem_and_digits(name)
    return normalize("NFC", f"{stem}\u0307{digits}") if len(stem) == 1 else f"{name}\u02d9"


SIGNS = {"adjoint": with_bar, "tangent": with_dot}  # how the name of each is written


def stem_and_digits(name):
    """A name, and the digits and primes that it ends with."""
    stem = name.rstrip("0123456789′")
    return stem, name[len(stem) :]
