"""Inside the derivative of a loop or a choice: which of its nodes is whose value, adjoint, tangent.

The derivative's body is a graph of its own. The engine's sweep runs over the body once more, and
what it makes is found there by what it computes: an equal op of equal operands.
"""

from typing import NamedTuple

from minigrad.core.autodiff import between, forward_sweep, reverse_sweep, sum_pairs
from minigrad.core.spec import spec_of
from minigrad.draw.trace.turns import body_names
from minigrad.static.control.bundle import floating_places
from minigrad.static.control.fn import Fn, new_formal
from minigrad.static.control.loop_bodies import TangentLayout
from minigrad.static.graph import Constant, Graph


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
    found, loops = {}, {}
    for name, body in z.params.items():
        made = derivative.params.get(name)
        if isinstance(body, Fn) and isinstance(made, Fn):
            for node, part in match_body(body, made, z.params, loops):
                found.setdefault(id(node), {})[part.moved, id(part.of)] = part
    parts = {node: sorted(parts.values(), key=is_result) for node, parts in found.items()}
    return Insides(parts, loops)


def match_body(body, made, params, loops):
    """(node of `made`, InnerPart), where `made` was derived from a body; nothing of other Fns.
    Fills `loops` as in Insides."""
    key = next((key for key, fn in body.derived.items() if fn is made), None)
    if key is None:
        return
    again = Again(body, made)
    with again.graph:
        if key[0] == "pullback" and "body" in params:
            yield from pulled_turn(again, *key[1:])
        elif key[0] == "pullback":
            pulled_branch(again, *key[1:])
        elif key[0] == "pushforward" and "body" in params:
            yield from pushed_turn(again, *key[1:])
        elif key[0] == "pushforward":
            pushed_branch(again, *key[1:])
        else:
            again.compute(key[1].split(again.inputs)[0])
    yield from again.matches(again.parts)
    loops |= {id(node): z for node, z in again.matches(again.loops)}


def loops_in(nodes):
    """The loops and choices among new nodes, without those that a Session's passes merge with the
    loop that they repeat in order to keep its carries."""
    return [n for n in nodes if body_names(n) and not n.params.get("record")]


def loops_with_tangents(v_dot):
    """The loop or choice that the parts of a tangent come from, in a list; none without parts."""
    parts = v_dot.values() if isinstance(v_dot, dict) else ()
    return list({item.inputs[0].order: item.inputs[0] for item in parts}.values())


class Again:
    """A body that is computed once more, with its derivative, on formals like those of `made`."""

    def __init__(self, body, made):
        self.body, self.made, self.graph = body, made, Graph("again")
        self.inputs = [new_formal(self.graph, spec_of(x)) for x in made.inputs]
        self.parts, self.loops, self.same = [], [], {}

    def compute(self, xs, inner=0):
        """The results of the body; notes its operands and its values, and from now on what becomes
        of its own values and of the first `inner` operands."""
        body = self.body
        values = Fn("all", body.inputs, body.nodes)(*xs)
        self.new = dict(zip(map(id, (*body.inputs, *body.nodes)), (*xs, *values)))
        self.old = {self.new[id(v)].order: v for v in (*body.nodes, *body.inputs[:inner])}
        for v in (*body.inputs, *body.nodes):
            self.note(self.new[id(v)], v, moved=False)
        return [self.new[id(y)] for y in body.outputs]

    def note(self, node, of, moved=True):
        """Notes what a node is; of the derivative of a bundle, its only part."""
        nodes = list(node.values()) if isinstance(node, dict) else [node]
        if len(nodes) == 1:
            self.parts.append((nodes[0], InnerPart(of, moved)))

    def pull(self, ys, seeds, xs):
        """Runs the reverse sweep, and notes the adjoints so far."""
        path = between(xs, ys)
        adjoints = sum_pairs((y.order, seed) for y, seed in zip(ys, seeds) if y.order in path)
        count = len(self.graph.nodes)
        for z, z_bar, passed in reverse_sweep(path, adjoints):
            new, count = self.graph.nodes[count:], len(self.graph.nodes)
            self.note_loops(loops_in(new), self.old.get(z.order))
            for v, v_bar in ((z, z_bar), *((x, total) for x, _, total in passed)):
                if v.order in self.old:
                    self.note(v_bar, self.old[v.order])

    def push(self, ys, xs, x_dots):
        """Runs the forward sweep, and notes the tangents."""
        seeds = sum_pairs((x.order, x_dot) for x, x_dot in zip(xs, x_dots))
        for order, v_dot in forward_sweep(between(xs, ys), seeds).items():
            if order in self.old:
                self.note(v_dot, self.old[order])
                self.note_loops(loops_with_tangents(v_dot), self.old[order])

    def note_loops(self, loops, z):
        """Notes the loops and choices by which z is differentiated."""
        if z is not None and body_names(z):
            self.loops += [(loop, z) for loop in loops if body_names(loop)]

    def matches(self, noted):
        """(node of `made`, what it is), for all of those noted that computes the same there."""
        table = {}
        own = number_nodes(self.graph.nodes, self.inputs, table, self.same)
        there = number_nodes(self.made.nodes, self.made.inputs, table, {})
        places = {}
        for v in (*self.made.inputs, *self.made.nodes):
            places.setdefault(there[id(v)], v)
        for node, what in noted:
            if own[id(node)] in places:
                yield places[own[id(node)]], what


def number_nodes(nodes, formals, table, same):
    """{id(node): a number}, one for all that compute the same; `same` maps the id of a node to the
    formal that has its value."""
    numbers = {id(x): table.setdefault(place, len(table)) for place, x in enumerate(formals)}
    for node in nodes:
        if id(node) in same:
            numbers[id(node)] = numbers[id(same[id(node)])]
        elif id(node) not in numbers:
            own = (node.value.tobytes(), spec_of(node)) if isinstance(node, Constant) else ()
            params = tuple((name, hashable(value)) for name, value in sorted(node.params.items()))
            key = node.op, own, params, tuple(numbers[id(x)] for x in node.inputs)
            numbers[id(node)] = table.setdefault(key, len(table))
    return numbers


def hashable(value):
    """A parameter as the key of a dict: itself, or its text."""
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


# the four derivatives -----------------------------------------------------------------------------


def pulled_turn(again, back, saved=()):
    """One iteration back of a loop."""
    body, signature = again.body, back.signature
    like = back.operands_like(body)._replace(ys=saved)
    operands = like.unpack(again.inputs)
    xs = [*operands.carries, *operands.sequences, *operands.constants]
    outs = again.compute(xs, signature.carry_count + signature.sequence_count)
    for place, formal in zip(saved, operands.ys):
        again.same[id(outs[place])] = formal
    seeds = dict(zip((*back.carries, *back.ys), (*operands.carry_bars, *operands.y_bars)))
    for i, seed in seeds.items():
        again.note(seed, i)
    for i, w_bar in zip(back.constants, operands.constant_bars):
        again.note(w_bar, body.inputs[i])
    targets = back.targets()
    again.pull([outs[i] for i in seeds], list(seeds.values()), [xs[i] for i in targets])
    for i, x_bar in zip(targets, again.made.outputs):
        yield x_bar, InnerPart(body.inputs[i], moved=True)


def pulled_branch(again, wanted, given):
    """A branch of a choice, back."""
    count = len(again.body.inputs)
    xs, y_bars = again.inputs[:count], again.inputs[count:]
    outs = again.compute(xs)
    again.pull([outs[i] for i in given], y_bars, [xs[i] for i in wanted])


def pushed_turn(again, layout):
    """One iteration of a loop that carries tangents, too."""
    xs, x_dots = layout.split(again.inputs)
    outs = again.compute(xs)
    for i, x_dot in x_dots.items():
        again.note(x_dot, again.body.inputs[i])
    floating, carries = floating_places(again.body.specs), len(layout.groups[0])
    again.push([outs[i] for i in floating], [xs[i] for i in x_dots], list(x_dots.values()))
    results = TangentLayout((range(carries), range(carries, len(outs))), floating)
    for i, result in results.split(again.made.outputs)[1].items():
        yield result, InnerPart(i, moved=True)


def pushed_branch(again, moved):
    """A branch of a choice, with tangents."""
    count = len(again.body.inputs)
    xs, x_dots = again.inputs[:count], again.inputs[count:]
    outs = again.compute(xs)
    moves = floating_places(again.body.specs)
    again.push([outs[i] for i in moves], [xs[i] for i in moved], x_dots)
