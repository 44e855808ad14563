"""The backward half of a mirrored drawing: one adjoint per primal on a differentiable path."""

from minigrad.draw.read import ABSENT, PENDING, has, number_text, peek, spec_of
from minigrad.draw.scene import Edge, Node, Span


class Mirror:
    """Adjoint nodes and edges derived from a forward scene; nothing is differentiated here."""

    def __init__(self, outline, folding, primal, wrt=None, adjoints=None, partials=None):
        self.outline, self.folding, self.primal = outline, folding, primal
        self.adjoints = adjoints or {}
        self.partials = partials or {}
        self.active = active(outline, wrt)
        self.groups = [
            index for index, group in enumerate(folding.groups)
            if any(self.active[at] for at in group.members)
        ]
        self.ids = {primal.ids[index]: f"{primal.ids[index]}_bar" for index in self.groups}
        self.nodes = [self.node(index) for index in self.groups]
        self.backward, self.saved = list(self.backward_edges()), list(self.saved_edges())

    def node(self, index):
        """The adjoint of one forward node."""
        group, primal = self.folding.groups[index], self.primal.nodes[index]
        name = primal.name or primal.lines[0][0].text
        number = self.number(group.members[0]) if group.kind == "one" else ""
        short = self.primal.short(name, group.members[0])
        first = (Span(short, over=True), *[Span(f" = {number}")] * bool(number))
        shape = self.shape(group, number)
        return Node(
            id=f"{primal.id}_bar",
            role="adjoint",
            lines=(first, *shape),
            call=f"adjoint of {primal.name or primal.id}",
            name=name,
            spec=primal.spec,
            value=number,
            of=primal.id,
            shape=primal.role,
        )

    def number(self, at):
        """The adjoint handed in, else the value's own `.grad`; "·" before it is computed."""
        given = self.adjoints.get(at, ABSENT)
        if given is ABSENT:
            given = peek(self.outline.values[at], "grad")
        return PENDING if given is None else number_text(given)

    def shape(self, group, number):
        """The line with an array's shape, where its numbers are not shown."""
        shape = spec_of(self.outline.values[group.members[0]]).shape
        shown = group.kind != "one" or number.startswith("[") or shape in ("", "[]")
        return () if shown or "shape" not in self.primal.show else ((Span(shape),),)

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
            said = getattr(self.outline.values[at].op, "reads", None) or ()
            return [
                at if one == "z" else inputs[one]
                for one in sorted(said, key=str) if one == "z" or one < len(inputs)
            ]
        except Exception:
            return []


def active(outline, wrt=None):
    """For each value: does it depend on what is differentiated?"""
    start = roots(outline) if wrt is None else wrt
    flags = [False] * len(outline.values)
    for at, inputs in enumerate(outline.inputs):
        reached = at in start or any(flags[source] for source in inputs)
        flags[at] = reached and not whole(outline, at)
    return flags


def roots(outline):
    """The leaves that ask for a gradient; where none can ask, all that are no constants."""
    leaves = [at for at, inputs in enumerate(outline.inputs) if not inputs]
    if any(has(outline.values[at], "requires_grad") for at in leaves):
        asked = [peek(outline.values[at], "requires_grad") is True for at in leaves]
    else:
        asked = [outline.roles[at] != "constant" for at in leaves]
    return {at for at, flag in zip(leaves, asked) if flag}


def whole(outline, at):
    """Whether the value is of an integer or boolean dtype, which has no derivative."""
    return getattr(peek(outline.values[at], "dtype"), "kind", "f") in "iub"
