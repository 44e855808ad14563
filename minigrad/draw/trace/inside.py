"""Inside the derivative of a loop or a choice: which of its nodes is whose value, adjoint, tangent.

The derivative's body is a graph of its own, whose ledger says what each of its nodes was made for.
"""

from typing import NamedTuple

from minigrad.draw.trace.turns import body_names
from minigrad.static.control.fn import Fn


class InnerPart(NamedTuple):
    """What a node of a derivative's body is: of a value of the body, or of a result that leaves it.

    `of` is a node of the body, or the place of a result; `moved` tells a derivative from a value.
    """

    of: object
    moved: bool


class Insides(NamedTuple):
    """What the nodes in some bodies are: {id: InnerParts}; and {id of a loop or a choice there: the
    loop or choice whose value it is, or whose derivative}."""

    parts: dict
    loops: dict


def own_insides(z):
    """The Insides of z itself: every node is its own value."""
    bodies = [z.params[name] for name in body_names(z)]
    nodes = [v for fn in bodies for v in (*fn.inputs, *fn.nodes)]
    parts = {id(v): [InnerPart(v, moved=False)] for v in nodes}
    return Insides(parts, {id(v): v for v in nodes if body_names(v)})


def is_result(part):
    """Whether an InnerPart is of a result that leaves the body, not of a value in it."""
    return isinstance(part.of, int)


def derived_insides(z, derivative):
    """The Insides of z's `derivative`. A loop that only computes values again is none of them."""
    parts, loops = {}, {}
    for name in body_names(z):
        made = derivative.params.get(name)
        if isinstance(made, Fn):
            reader = DerivedBody(z, name)
            for node in (*made.inputs, *made.nodes):
                found = {(part.moved, id(part.of)): part for part in reader.parts(node)}
                parts.setdefault(id(node), []).extend(sorted(found.values(), key=is_result))
                loops |= {id(node): of for of in reader.loops_behind(node)}
    return Insides(parts, loops)


def loops_in(nodes):
    """The loops and choices among new nodes, without those that a Session's passes merge with the
    loop that they repeat in order to keep its carries."""
    return [n for n in nodes if body_names(n) and not n.params.get("record")]


def loops_with_tangents(v_dot):
    """The loop or choice that the parts of a tangent come from, in a list; none without parts."""
    parts = v_dot.values() if isinstance(v_dot, dict) else ()
    return list({item.inputs[0].order: item.inputs[0] for item in parts}.values())


class DerivedBody:
    """What nodes of a derivative's body are, in terms of the body `name` of z."""

    def __init__(self, z, name):
        body = z.params[name]
        self.own = {id(v) for v in (*body.inputs, *body.nodes)}
        self.nodes = {id(v) for v in body.nodes}
        inner = z.params.get("carries", 0) + z.params.get("slices", 0)
        self.passing = self.nodes.union(map(id, body.inputs[:inner]))
        self.ledgers = {}

    def origins(self, node):
        """The NodeOrigins of a node, from the ledger of its graph."""
        graph = node.graph
        if id(graph) not in self.ledgers:
            self.ledgers[id(graph)] = graph.ledger.origins()
        return self.ledgers[id(graph)].get(node.order, ())

    def copied(self, node):
        """What a node is a copy of, and what those are copies of, up to the body's own."""
        for kind, of, _ in self.origins(node):
            if kind == "copy":
                yield of
                if id(of) not in self.own:
                    yield from self.copied(of)

    def parts(self, node):
        """The InnerParts of a node: what it is a copy of, then what it is the derivative of."""
        copied = list(self.copied(node))
        yield from (InnerPart(of, moved=False) for of in copied if id(of) in self.own)
        for one in (node, *(of for of in copied if id(of) not in self.own)):
            for kind, of, _ in self.origins(one):
                if kind in ("adjoint", "tangent"):
                    yield from self.derived_parts(kind, of)

    def derived_parts(self, kind, of):
        """The InnerParts of the adjoint or tangent of a value: of the body itself, or of what
        computes the body again. There, what stays the same in a loop has only a contribution."""
        if isinstance(of, int) or id(of) in self.own:
            yield InnerPart(of, moved=True)
            return
        wanted = self.passing if kind == "adjoint" else self.nodes
        yield from (InnerPart(v, moved=True) for v in self.copied(of) if id(v) in wanted)

    def loops_behind(self, node):
        """The loop or choice of the body whose derivative a loop or a choice is, in a list."""
        if not loops_in([node]):
            return []
        for one in (node, *self.copied(node)):
            for step in one.graph.ledger.steps:
                if step.value is not None and one.order in step.made and id(one) not in self.own:
                    values = [v for v in self.copied(step.value) if id(v) in self.own]
                    return [v for v in values if body_names(v)]
        return []
