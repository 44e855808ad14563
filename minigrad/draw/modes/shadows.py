"""What stands below each primal on a differentiable path: its adjoint, or its tangent."""

from minigrad.draw.read import ABSENT, PENDING, has, number_text, peek, spec_of
from minigrad.draw.scene import Node, Span


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
