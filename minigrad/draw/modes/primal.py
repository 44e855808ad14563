"""From groups to the nodes and edges of the forward graph."""

from os.path import commonprefix

from minigrad.draw.read import (
    ABSENT,
    PENDING,
    bytes_of,
    bytes_text,
    clean,
    form_of,
    number_text,
    params_text,
    peek,
    value_text,
)
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.signs import EITHER_WAY, says_all, sign_of, with_constants
from minigrad.draw.scene import DrawnNode, Edge, Frame, handle_of

SHOWABLE = ("op", "name", "params", "shape", "dtype", "value", "grad", "bytes", "line")
SHOWN = ("op", "name", "params", "shape", "value")  # by a label, where nothing else is asked for
SCALAR = "[]"  # the shape of a single number
PLAIN = "float64"  # the dtype that is not said


class Primal:
    """The forward half of a scene."""

    def __init__(self, outline, folding, show=SHOWN, values=None, number_all=False, grads=None):
        self.outline, self.folding, self.show = outline, folding, show
        self.values, self.grads = values or {}, grads or {}
        self.number_all = number_all  # give unnamed values a name: adjoints need one
        self.owner = folding.owners()
        self.ids = [outline.ids[group.members[0]] for group in folding.groups]
        groups = zip(self.ids, folding.groups)
        self.alone = {id: group.members[0] for id, group in groups if group.kind == "one"}
        self.nodes = [self.node(at) for at in range(len(self.ids))]
        self.edges = list(self.make_edges())

    def node(self, index):
        """The node of one group."""
        group = self.folding.groups[index]
        return self.single(index) if group.kind == "one" else self.many(index, group)

    def single(self, index):
        """The node of one value."""
        at = self.folding.groups[index].members[0]
        value, op, role = self.outline.values[at], self.outline.ops[at], self.outline.roles[at]
        name, spec, number = self.name(at), form_of(value), self.number(at)
        scope = self.folding.path(at, self.outline.scopes[at])
        return DrawnNode(
            self.ids[index],
            role,
            **self.card(at, name, spec, number),
            call=self.call(at, op) if role == "op" else role,
            name=name,
            spec=str(spec),
            value=number,
            scope=scope,
            result=at in self.outline.results,
            opens=self.ids[index] if role == "op" and loop_of(value) else "",
        )

    def many(self, index, group):
        """The node of a folded group."""
        label = f"{group.times:,} × {group.label}" if group.kind == "repeat" else group.label
        count, rest = len(group.members), group.kind == "rest"
        return DrawnNode(
            self.ids[index],
            "folded",
            label=label,
            inside=0 if rest else count,
            call=label if rest else f"{label} ({count:,} values)",
            scope=self.folding.path(group.members[0], self.scope_around(group)),
            result=any(at in self.outline.results for at in group.members),
            opens={"scope": handle_of(group.path), "repeat": self.ids[index]}.get(group.kind, ""),
        )

    def scope_around(self, group):
        """The innermost scope that holds the whole group, and not only the group."""
        if group.kind == "scope":
            return group.path.rpartition("/")[0]
        paths = {self.outline.scopes[at] + "/" for at in group.members}
        shared = commonprefix(list(paths))  # noqa: RUF071  up to the last / it is a path
        return shared.rpartition("/")[0]

    def name(self, at):
        """The name to show: the learner's, else v<number> where one is needed."""
        needed = self.number_all and self.outline.roles[at] != "constant"
        return self.outline.names[at] or (self.numbered_name(at) if needed else "")

    def numbered_name(self, at):
        """A name for what has none: v and the number of its id, which no pass changes."""
        number = self.outline.ids[at].removeprefix("n")
        return f"v{number if number.isdecimal() else at}"

    def number(self, at):
        """The value as text: the one handed in, else the value's own."""
        given = self.values.get(at, ABSENT)
        return value_text(self.outline.values[at]) if given is ABSENT else number_text(given)

    def call(self, at, op):
        """The op with its operands' ids, or with the text of a hidden constant."""
        hidden = self.folding.hidden
        parts = [
            hidden.get(source) or (self.ids[self.owner[source]] if source in self.owner else "…")
            for source in self.outline.inputs[at]
        ]
        settings = params_text(self.outline.values[at])
        return f"{op or '?'}({', '.join(parts + [settings] * bool(settings))})"

    def card(self, at, name, spec, number):
        """What the card of one value says, as `show` asks."""
        value, role = self.outline.values[at], self.outline.roles[at]
        sign = self.sign(at) if role == "op" and "op" in self.show else ""
        told = {
            "sign": sign,
            "label": self.label(at, name, number) if "name" in self.show else "",
            "number": number if "value" in self.show else "",
        }
        told["form"] = self.form(at, spec, number, any(told.values()))
        params = params_text(value, 26) if "params" in self.show and not says_all(sign) else ""
        lines = [params, self.origin(at) if role == "port" else "", *self.more(value, at)]
        return {**told, "lines": tuple(filter(None, lines))}

    def label(self, at, name, number):
        """The name on a card: an array that shows neither name nor number is called by its id."""
        array = self.outline.roles[at] == "op" and form_of(self.outline.values[at]).shape
        nameless = array and not (name or number)
        return self.numbered_name(at) if nameless else self.short(name, at)

    def sign(self, at):
        """The sign of an operation, with the constants that it takes."""
        hidden, value = self.folding.hidden, self.outline.values[at]
        constants = [hidden.get(source) for source in self.outline.inputs[at]]
        return with_constants(sign_of(value, self.outline.ops[at]), constants)

    def origin(self, at):
        """From which constant something is carried into a body; "" where from a node."""
        sources, hidden = self.outline.inputs[at][:1], self.folding.hidden
        return next((f"from {hidden[source]}" for source in sources if source in hidden), "")

    def more(self, value, at):
        """The lines that `show` asks for by name: gradient, bytes, source line."""
        if "grad" in self.show and self.outline.roles[at] != "constant":
            yield from gradient_text(value, self.grads.get(at, ABSENT))
        count = bytes_of(value) if "bytes" in self.show else None
        if count is not None:
            yield bytes_text(count)
        line = peek(value, "line") if "line" in self.show else None
        if line:
            yield clean(line, 40)

    def form(self, at, spec, number, told):
        """The shape, where it is news: "32×64", "int64 3"; nothing beside all of the numbers.

        A card that tells nothing else says that it is a scalar, or what role it has.
        """
        text = self.asked_form(spec, number)
        if self.show == SHOWN and self.outline.inputs[at] and self.is_known(at, spec):
            text = ""
        if text or told or self.outline.roles[at] == "op":
            return text
        single = spec.shape == SCALAR and "shape" in self.show
        return "scalar" if single else self.outline.roles[at]

    def asked_form(self, spec, number):
        """The shape and the dtype as `show` asks for them."""
        size = "" if spec.shape in ("", SCALAR) else spec.shape.strip("[]").replace(",", "×")
        if "dtype" in self.show:
            return f"{spec.dtype} {size if 'shape' in self.show else ''}".strip()
        if "shape" not in self.show or number.startswith("[") or number and not size:
            return ""
        return f"{'' if spec.dtype == PLAIN else spec.dtype} {size}".strip()

    def is_known(self, at, spec):
        """Whether an operand has the same shape and dtype, as most results have."""
        values = self.outline.values
        return any(form_of(values[source]) == spec for source in self.outline.inputs[at])

    def short(self, name, at):
        """The name without its scope, which the frame around the node says."""
        return name.removeprefix(f"{self.outline.scopes[at]}/")

    def make_edges(self):
        """One edge per operand; inside a group none; between groups one for all."""
        seen = set()
        for index, group in enumerate(self.folding.groups):
            for at in group.members:
                ordered = group.kind == "one" and self.is_ordered(at)
                for slot, source in enumerate(self.outline.inputs[at], 1):
                    owner = self.owner.get(source)
                    if owner is None or owner == index:
                        continue
                    single = group.kind == self.folding.groups[owner].kind == "one"
                    key = (owner, index, slot if single else 0)
                    if key not in seen:
                        seen.add(key)
                        slot = slot if ordered and single else 0
                        yield Edge(self.ids[owner], self.ids[index], slot=slot)

    def is_ordered(self, at):
        """Whether it matters which operand is which."""
        if len({x for x in self.outline.inputs[at] if x in self.owner}) < 2:
            return False
        op, sign = peek(self.outline.values[at], "op"), sign_of(None, self.outline.ops[at])
        return peek(op, "commutative") is not True and sign not in EITHER_WAY

    def fill(self, scene):
        """The scene with these nodes and edges."""
        turns = (Frame(turn.path, lines=(turn.words,)) for turn in self.folding.turns)
        frames = (*self.outline.frames, *turns)
        owners = {self.outline.ids[at]: self.ids[index] for at, index in self.owner.items()}
        owners |= self.hidden_owners()
        nodes, edges = tuple(self.nodes), tuple(self.edges)
        return scene._replace(nodes=nodes, edges=edges, frames=frames, owners=owners)

    def hidden_owners(self):
        """Id of a constant that is no node → the id of the node that says it."""
        ids, users = self.outline.ids, self.outline.users()
        said = (
            (at, next((u for u in users[at] if u in self.owner), None))
            for at in self.folding.hidden
        )
        return {ids[at]: self.ids[self.owner[user]] for at, user in said if user is not None}


def gradient_text(value, given):
    """The gradient as a line: the one handed in, else the value's own; "·" before backward."""
    known = peek(value, "grad", default=ABSENT) if given is ABSENT else given
    if known is ABSENT or known is None and peek(value, "requires_grad") is False:
        return
    text = PENDING if known is None else number_text(known) or form_of(known).shape
    yield f"grad = {text}"


def with_stubs(scene, graph, primal):
    """The scene with a mark "… 3" at every value that has operands or users not drawn."""
    users, nodes, edges = graph.users(), [], []
    for node, group in zip(primal.nodes, primal.folding.groups):
        at, before, after = group.members[0], f"{node.id}_before", f"{node.id}_after"
        if count := outside(graph.inputs[at], primal):
            nodes.append(stub(before, count, node.scope))
            edges.append(Edge(before, node.id))
        if count := outside(users[at], primal):
            nodes.append(stub(after, count, node.scope))
            edges.append(Edge(node.id, after))
    return scene.plus(nodes, edges)


def outside(positions, primal):
    """How many of the values are not drawn, not even as text."""
    hidden = primal.folding.hidden
    return len({at for at in positions if at not in primal.owner and at not in hidden})


def stub(id, count, scope):
    """The mark for so many values."""
    return DrawnNode(id, "folded", label=f"… {count}", call=f"{count} more", scope=scope)
