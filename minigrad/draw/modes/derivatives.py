"""What stands below each primal on a differentiable path: its adjoint, or its tangent."""

from abc import ABC, abstractmethod
from collections import Counter, defaultdict

from minigrad.draw.read import ABSENT, PENDING, has, number_text, peek, single_text
from minigrad.draw.read.formulas import Term
from minigrad.draw.scene import MARK, SIGNS, DrawnNode, Edge


class Shadows(ABC):
    """A node for each forward node on a differentiable path; nothing is differentiated here.

    A kind of shadow brings: `role`; `ending`, of its ids.
    """

    def __init__(self, primal, wrt, numbers, shares=None, flags=None):
        self.primal, self.outline, self.drawn_groups = primal, primal.outline, primal.folding.groups
        self.numbers, self.shares = numbers, shares or {}
        self.flags = flags = find_active(self.outline, wrt) if flags is None else flags
        moves = (any(flags[at] for at in group.members) for group in self.drawn_groups)
        self.groups = [index for index, flag in enumerate(moves) if flag]
        self.ids = {primal.ids[at]: f"{primal.ids[at]}{self.ending}" for at in self.groups}
        self.nodes = [self.node(index) for index in self.groups]

    def node(self, index):
        """The shadow of one forward node."""
        group, primal = self.drawn_groups[index], self.primal.nodes[index]
        name = primal.name or primal.label or primal.sign
        number = self.number(group.members[0]) if group.kind == "one" else ""
        strip = primal.strip and primal.strip._replace(part="adjoint")
        strip = strip if strip and strip.drawn_rows() and self.role == "adjoint" else None
        return DrawnNode(
            self.ids[primal.id],
            self.role,
            label="" if strip else self.primal.short(name, group.members[0]),
            number="" if strip else number,
            strip=strip,
            call=f"{self.role} of {primal.name or primal.id}",
            name=name,
            spec=primal.spec,
            value=number,
            of=primal.id,
            opens=primal.opens,
        )

    def edges_between(self):
        """The forward edges between two that have shadows."""
        return [e for e in self.primal.edges if e.source in self.ids and e.target in self.ids]

    def default(self, value):
        """The number of a value where none is handed in: no value keeps its tangent."""
        return

    @abstractmethod
    def edges(self):
        """The edges between the shadows."""

    def number(self, at):
        """The number handed in, else the default; "·" before it is computed."""
        given = self.numbers.get(at, ABSENT)
        if given is ABSENT:
            given = self.default(self.outline.values[at])
        return PENDING if given is None else number_text(given)


def find_active(outline, wrt=None):
    """For each value: does it depend on what is differentiated?"""
    start = roots(outline) if wrt is None else {*wrt}
    places = {id: at for at, id in enumerate(outline.ids)}
    while True:
        flags = [False] * len(outline.values)
        for at, inputs in enumerate(outline.inputs):
            reached = at in start or any(flags[source] for source in inputs)
            flags[at] = reached and not is_integer(outline, at) and not is_asked(outline, at)
        carried = {places[one] for one in carried_on(outline, flags, places)}
        if carried <= start:
            return flags
        start |= carried


def is_asked(outline, at):
    """Whether the value is in the condition of a loop, which passes no derivative on."""
    return f"/{MARK}c/" in f"{outline.scopes[at]}/"


def carried_on(outline, flags, places):
    """The ids of the ports into which a loop carries what depends on what is differentiated."""
    for frame in outline.frames:
        for into, out in zip(frame.starts[: frame.carry_count], frame.ends):
            if into in places and out in places and flags[places[out]]:
                yield into


def roots(outline):
    """The leaves that ask for a gradient; where none can ask, all that are no constants."""
    leaves = [at for at, inputs in enumerate(outline.inputs) if not inputs]
    if any(has(outline.values[at], "requires_grad") for at in leaves):
        asked = [peek(outline.values[at], "requires_grad") is True for at in leaves]
    else:
        asked = [outline.roles[at] != "constant" for at in leaves]
    return {at for at, flag in zip(leaves, asked) if flag}


def is_integer(outline, at):
    """Whether the value is of an integer or boolean dtype, which has no derivative."""
    return getattr(peek(outline.values[at], "dtype"), "kind", "f") in "iub"


class Adjoints(Shadows):
    """Adjoint nodes, edges and saved values derived from a forward scene."""

    role, ending = "adjoint", "_bar"

    def default(self, value):
        """The value's own `.grad`."""
        return peek(value, "grad")

    def missing(self):
        """The positions of what passed its adjoint on in a backward(), and did not keep it."""
        values = self.outline.values
        groups = [self.drawn_groups[at] for at in self.groups]
        alone = [group.members[0] for group in groups if group.kind == "one"]
        leaves = roots(self.outline).intersection(alone)
        if not any(peek(values[at], "grad") is not None for at in leaves):
            return []
        asked = [at for at in alone if peek(values[at], "keeps_grad") is False]
        return [at for at in asked if at not in leaves and self.number(at) == PENDING]

    def edges(self):
        """Every forward edge between two adjoints, reversed, with its contribution if known.

        An array that is the only contribution stands in the adjoint itself.
        """
        shares = {ends: list(texts) for ends, texts in self.shares.items()}
        between = list(self.edges_between())
        count = Counter(edge.source for edge in between)
        for edge in between:
            known = shares.get((edge.source, edge.target))
            share = known.pop(0) if known else ""
            share = "" if share.startswith("[") and count[edge.source] == 1 else share
            yield Edge(self.ids[edge.target], self.ids[edge.source], "adjoint", label=share)

    def saved_ids(self):
        """The ids of the primals that some backward rule reads."""
        return {edge.source for edge in self.saved_edges()}

    def saved_edges(self):
        """From every primal that an op's backward rule reads to the adjoint where it is read."""
        for index in self.groups:
            read = [source for at in self.drawn_groups[index].members for source in self.reads(at)]
            for owner in dict.fromkeys(map(self.primal.owner.get, read)):
                if owner is not None:
                    target = self.ids[self.primal.ids[index]]
                    yield Edge(self.primal.ids[owner], target, "saved")

    def reads(self, at):
        """The positions of the primals that the rule of `at` reads for wanted adjoints: operands,
        or itself ("z")."""
        inputs = self.outline.inputs[at]
        try:
            said = self.outline.values[at].op.values_read([self.flags[x] for x in inputs])
            return [at if one == "z" else inputs[one] for one in sorted(said, key=str)]
        except Exception:
            return []


class Tangents(Shadows):
    """Tangent nodes and edges derived from a forward scene: they run with it."""

    role, ending = "tangent", "_dot"

    def edges(self):
        """Every forward edge between two tangents."""
        for edge in self.edges_between():
            yield Edge(self.ids[edge.source], self.ids[edge.target], "tangent")


class LedgerTangents(Tangents):
    """The tangents of a graph that computes them: each says how, until its number is known. `sums`
    has what each is known to be the sum of, as pairs (operand, number)."""

    def __init__(self, primal, found, numbers, sums):
        self.found, self.sums = found, sums
        flags = [at in found.tangents for at in range(len(found.graph.values))]
        super().__init__(primal, None, numbers, flags=flags)

    def node(self, index):
        """The same, with the formula of the tangent."""
        node, (at, *others) = super().node(index), self.drawn_groups[index].members
        if others:
            return node
        formula = self.found.formulas[at]
        if node.number != PENDING:
            return node._replace(more=" ".join(formula.texts()))
        name = Term(SIGNS[self.role](node.label), kind=self.role), Term(" = ")
        rows = (*name, *formula.rows[0]), *formula.rows[1:]
        return node._replace(label="", number="", value="", formula=rows)

    def edges(self):
        """The same, with the contributions to sums of single numbers."""
        edges, shares = list(super().edges()), defaultdict(list)
        for at, pairs in self.sums.items():
            texts = [single_text(number) for _, number in pairs]
            if all(texts) and self.drawn_groups[self.primal.owner[at]].kind == "one":
                for (operand, _), text in zip(pairs, texts):
                    ends = (self.primal.ids[self.primal.owner[one]] for one in (operand, at))
                    shares[tuple(self.ids[id] for id in ends)].append(text)
        count = Counter((edge.source, edge.target) for edge in edges)
        torn = {pair[1] for pair in count.keys() | shares.keys()
                if len(shares.get(pair, ())) != count[pair]}  # fmt: skip
        for edge in edges:
            texts = [] if edge.target in torn else shares[edge.source, edge.target]
            yield edge._replace(label=texts.pop(0)) if texts else edge

    def owners(self):
        """{id of a node of the sweep: id of the tangent on whose card it is}."""
        ids, owner = self.primal.ids, self.primal.owner
        return {id: self.ids[ids[owner[home]]] for id, home in self.found.homes.items()}
