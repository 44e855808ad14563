"""What stands below each primal on a differentiable path: its adjoint, or its tangent."""

from minigrad.draw.read import ABSENT, PENDING, has, number_text, peek, spec_of
from minigrad.draw.scene import Edge, Node, Span
from minigrad.errors import ArgumentError


class Shadows:
    """A node for each forward node on a differentiable path; nothing is differentiated here.

    A kind of shadow brings: `role`; `ending`, of its ids; `sign`, how its name is written;
    default(value), the number where none is handed in.
    """

    def __init__(self, outline, folding, primal, wrt=None, numbers=None):
        self.outline, self.folding, self.primal = outline, folding, primal
        self.numbers = numbers or {}
        flags = active(outline, wrt)
        self.groups = [
            index
            for index, group in enumerate(folding.groups)
            if any(flags[at] for at in group.members)
        ]
        self.ids = {primal.ids[at]: f"{primal.ids[at]}{self.ending}" for at in self.groups}
        self.nodes = [self.node(index) for index in self.groups]

    def node(self, index):
        """The shadow of one forward node."""
        group, primal = self.folding.groups[index], self.primal.nodes[index]
        name = primal.name or primal.lines[0][0].text
        number = self.number(group.members[0]) if group.kind == "one" else ""
        short = self.primal.short(name, group.members[0])
        first = (Span(short, **{self.sign: True}), *[Span(f" = {number}")] * bool(number))
        shape = self.shape(group, number)
        return Node(
            id=self.ids[primal.id],
            role=self.role,
            lines=(first, *shape),
            call=f"{self.role} of {primal.name or primal.id}",
            name=name,
            spec=primal.spec,
            value=number,
            of=primal.id,
            shape=primal.role,
        )

    def number(self, at):
        """The number handed in, else the default; "·" before it is computed."""
        given = self.numbers.get(at, ABSENT)
        if given is ABSENT:
            given = self.default(self.outline.values[at])
        return PENDING if given is None else number_text(given)

    def shape(self, group, number):
        """The line with an array's shape, where its numbers are not shown."""
        shape = spec_of(self.outline.values[group.members[0]]).shape
        shown = group.kind != "one" or number.startswith("[") or shape in ("", "[]")
        return () if shown or "shape" not in self.primal.show else ((Span(shape),),)


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


# the graph of a gradient --------------------------------------------------------------------------


def split(scene, graph, primal, of):
    """The scene with all that `of` (positions) does not need drawn as adjoints, pointing back."""
    if not of:
        raise ArgumentError(
            "draw: what `of` names is not in this graph",
            'draw(gradient, loss, mode="backward", of=loss)',
        )
    forward = behind(graph, of)
    added = {
        primal.ids[index]
        for index, group in enumerate(primal.folding.groups)
        if not forward.issuperset(group.members)
    }
    nodes = tuple(
        node._replace(role="adjoint", shape=node.role, scope="") if node.id in added else node
        for node in scene.nodes
    )
    edges = tuple(turned(edge, added) for edge in scene.edges)
    return scene._replace(nodes=nodes, edges=edges)


def behind(graph, ends):
    """The positions of all that the ends were computed from, and of the ends."""
    found, todo = set(), list(ends)
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += graph.inputs[at]
    return found


def turned(edge, added):
    """An edge between added values points back; one that leads to them shows what is read."""
    kinds = {(True, True): "adjoint", (False, True): "saved"}
    kind = kinds.get((edge.source in added, edge.target in added), edge.kind)
    return Edge(edge.source, edge.target, kind, edge.slot if kind == "data" else 0)
