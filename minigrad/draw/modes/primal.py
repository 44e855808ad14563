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
from minigrad.draw.scene import DrawnNode, Edge, Frame, Span, handle_of

SHOWABLE = ("op", "name", "params", "shape", "dtype", "value", "grad", "bytes", "line")
SHOWN = ("op", "name", "params", "shape", "value")  # by a label, where nothing else is asked for
SCALAR = "[]"  # the shape of a single number
EITHER_WAY = {  # whose operands may change places, in engines that do not say so of their ops
    *("Add", "Mul", "Multiply", "Maximum", "Minimum", "add", "mul", "+", "*", "Equal", "choose")
}


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
        row = self.call(at, op) if role == "op" else role, name, str(spec), number
        lines = self.label(at, name, spec, number)
        scope = self.folding.path(at, self.outline.scopes[at])
        result = at in self.outline.results
        opens = self.ids[index] if role == "op" and loop_of(value) else ""
        return DrawnNode(
            self.ids[index], role, lines, *row, scope=scope, result=result, opens=opens
        )

    def many(self, index, group):
        """The node of a folded group."""
        label = f"{group.times:,} × {group.label}" if group.kind == "repeat" else group.label
        count = f"{len(group.members):,} values"
        rest = group.kind == "rest"
        lines = ((Span(label, bold=True),), (Span(count),))[: 1 if rest else 2]
        call = label if rest else f"{label} ({count})"
        scope = self.folding.path(group.members[0], self.scope_around(group))
        result = any(at in self.outline.results for at in group.members)
        opens = {"scope": handle_of(group.path), "repeat": self.ids[index]}.get(group.kind, "")
        more = {"scope": scope, "result": result, "opens": opens}
        return DrawnNode(self.ids[index], "folded", lines, call, **more)

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
        return self.outline.names[at] or (f"v{at}" if needed else "")

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

    def label(self, at, name, spec, number):
        """The lines of a node's label, as `show` asks."""
        value, role, hidden = self.outline.values[at], self.outline.roles[at], self.folding.hidden
        headed = role == "op" and "op" in self.show
        texts = [params_text(value, 26)] if "params" in self.show else []
        texts += self.facts(at, name, spec, number)
        if role == "port":
            texts += [f"from {hidden[at]}" for at in self.outline.inputs[at][:1] if at in hidden]
        texts += self.more(value, at)
        lines = [(Span(self.headline(at), bold=True),)] * headed
        lines += [(Span(text),) for text in texts if text]
        return tuple(lines) or ((Span(name or self.outline.ops[at] or "·"),),)

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

    def headline(self, at):
        """The op's name, with the constants that were hidden into it."""
        inputs, hidden = self.outline.inputs[at], self.folding.hidden
        op = self.outline.ops[at] or "?"
        if not any(source in hidden for source in inputs):
            return op
        return f"{op}({', '.join(hidden.get(source, '·') for source in inputs)})"

    def facts(self, at, name, spec, number):
        """Name, value and form as one or two lines: "w = 1", or "W" above "[3,2]"."""
        name = self.short(name, at) if "name" in self.show else ""
        number = number if "value" in self.show else ""
        first = " = ".join(filter(None, (name, number)))
        leaf = [self.outline.roles[at]] * (self.outline.roles[at] != "op")
        return list(filter(None, (first, self.form(spec, number)))) or leaf

    def form(self, spec, number):
        """The form beside a number: "[3,2]", "int64[3]"; nothing beside all of the numbers."""
        if "dtype" in self.show:
            return spec.dtype + (spec.shape if "shape" in self.show else "")
        whole = spec.shape in ("", SCALAR) or number.startswith("[")
        if "shape" not in self.show or not spec.shape or number and whole:
            return ""
        if spec.shape == SCALAR:
            return "scalar" if spec.dtype == "float64" else f"{spec.dtype} scalar"
        return spec.shape if spec.dtype == "float64" else str(spec)

    def short(self, name, at):
        """The name without its scope, which the frame around the node says."""
        return name.removeprefix(f"{self.outline.scopes[at]}/")

    def make_edges(self):
        """One edge per operand; inside a group none; between groups one for all."""
        seen = set()
        for index, group in enumerate(self.folding.groups):
            for at in group.members:
                ordered = self.is_ordered(at)
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
        op, name = peek(self.outline.values[at], "op"), self.outline.ops[at]
        either_way = peek(op, "commutative") is True or name in EITHER_WAY
        return len(set(self.outline.inputs[at])) > 1 and not either_way

    def fill(self, scene):
        """The scene with these nodes and edges."""
        turns = (Frame(turn.path, lines=(turn.words,)) for turn in self.folding.turns)
        frames = (*self.outline.frames, *turns)
        owners = {self.outline.ids[at]: self.ids[index] for at, index in self.owner.items()}
        nodes, edges = tuple(self.nodes), tuple(self.edges)
        return scene._replace(nodes=nodes, edges=edges, frames=frames, owners=owners)


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
    return DrawnNode(id, "folded", ((Span(f"… {count}"),),), call=f"{count} more", scope=scope)
