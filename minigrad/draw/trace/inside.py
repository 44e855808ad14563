"""Inside the derivative of a loop or a choice: which of its nodes is whose value, adjoint, tangent.

The derivative's body is a graph of its own, whose ledger says what each of its nodes was made for.
"""

from typing import NamedTuple

from minigrad.draw.trace.iterations import body_names
from minigrad.static.control.fn import Fn


class BodyRole(NamedTuple):
    """What a node of a derivative's body is: of a value of the body, or of a result that leaves it.

    `of` is a node of the body, or the place of a result; `derivative` tells it from a value.
    """

    of: object
    derivative: bool


class LoopRoles(NamedTuple):
    """What the nodes in some bodies are: {id: BodyRoles}; and {id of a loop or a choice there: the
    loop or choice whose value it is, or whose derivative}."""

    roles: dict
    loops: dict
    contributions: dict = {}  # id of a node → (value of the body, the user whose rule made it)


def own_roles(z):
    """The LoopRoles of z itself: every node is its own value."""
    bodies = [z.params[name] for name in body_names(z)]
    nodes = [v for fn in bodies for v in (*fn.inputs, *fn.nodes)]
    roles = {id(v): [BodyRole(v, derivative=False)] for v in nodes}
    return LoopRoles(roles, {id(v): v for v in nodes if body_names(v)})


def is_result(role):
    """Whether a BodyRole is of a result that leaves the body, not of a value in it."""
    return isinstance(role.of, int)


def derived_roles(z, derivative):
    """The LoopRoles of z's `derivative`. A loop that only computes values again is none of them."""
    roles, loops, contributions = {}, {}, {}
    for name in body_names(z):
        made = derivative.params.get(name)
        if isinstance(made, Fn):
            reader = DerivedBody(z, name)
            for node in (*made.inputs, *made.nodes):
                found = {(role.derivative, id(role.of)): role for role in reader.roles(node)}
                roles.setdefault(id(node), []).extend(sorted(found.values(), key=is_result))
                loops |= {id(node): of for of in reader.loops_behind(node)}
                contributions |= {id(node): pair for pair in reader.contributions(node)}
    return LoopRoles(roles, loops, contributions)


def is_new_loop(node):
    """Whether a node is a new loop or choice; not one that a Session's passes merge with the loop
    that it repeats in order to keep its carries."""
    return bool(body_names(node)) and not node.params.get("record")


def loops_in(step):
    """The loops and choices among the nodes that a SweepStep made."""
    span = step.node_range
    return [node for node in step.value.graph.nodes[span.start : span.stop] if is_new_loop(node)]


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

    def originals(self, node):
        """What a node is a copy of, and what those are copies of, up to the body's own."""
        for kind, of, _ in self.origins(node):
            if kind == "copy":
                yield of
                if id(of) not in self.own:
                    yield from self.originals(of)

    def roles(self, node):
        """The BodyRoles of a node: what it is a copy of, then what it is the derivative of."""
        originals = list(self.originals(node))
        yield from (BodyRole(of, derivative=False) for of in originals if id(of) in self.own)
        for one in (node, *(of for of in originals if id(of) not in self.own)):
            for kind, of, _ in self.origins(one):
                if kind in ("adjoint", "tangent"):
                    yield from self.derivative_roles(kind, of)

    def contributions(self, node):
        """(value of the body, its user) whose rule makes the node a contribution, in a list."""
        made = (node, *(of for of in self.originals(node) if id(of) not in self.own))
        origins = [origin for one in made for origin in self.origins(one)]
        pairs = [(of, by) for kind, of, by in origins if kind == "contribution"]
        pairs = [(self.own_value(of), self.own_value(by)) for of, by in pairs]
        return [pair for pair in pairs if None not in pair][:1]

    def own_value(self, of):
        """A value of the body itself: this one, or what it is a copy of; None where none is."""
        if of is None or isinstance(of, int) or id(of) in self.own:
            return None if isinstance(of, int) else of
        return next((v for v in self.originals(of) if id(v) in self.own), None)

    def derivative_roles(self, kind, of):
        """The BodyRoles of the adjoint or tangent of a value: of the body itself, or of what
        computes the body again. There, what stays the same in a loop has only a contribution."""
        if isinstance(of, int) or id(of) in self.own:
            yield BodyRole(of, derivative=True)
            return
        wanted = self.passing if kind == "adjoint" else self.nodes
        yield from (BodyRole(v, derivative=True) for v in self.originals(of) if id(v) in wanted)

    def loops_behind(self, node):
        """The loop or choice of the body whose derivative a loop or a choice is, in a list."""
        if not is_new_loop(node):
            return []
        outside = [v for v in (node, *self.originals(node)) if id(v) not in self.own]
        steps = (
            step for v in outside for step in v.graph.ledger.steps if v.order in step.node_range
        )
        values = [step.value for step in steps if step.value is not None]
        loops = [v for value in values[:1] for v in self.originals(value) if id(v) in self.own]
        return [v for v in loops if body_names(v)]
