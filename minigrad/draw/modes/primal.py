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
from minigrad.draw.read.bodies import carry_names, loop_of, result_words
from minigrad.draw.read.formulas import Term
from minigrad.draw.read.loops import (
    GO_ON,
    closed_rows,
    condition_terms,
    formal_terms,
    numbers_terms,
)
from minigrad.draw.read.opened import ITEMS
from minigrad.draw.read.signs import EITHER_WAY, LOOP, minus, says_all, sign_of, with_constants
from minigrad.draw.scene import DrawnNode, Edge, Frame, handle_of

SHOWABLE = ("op", "name", "params", "shape", "dtype", "value", "grad", "bytes", "line")
SHOWN = ("op", "name", "params", "shape", "value")  # by a label, where nothing else is asked for
SCALAR = "[]"  # the shape of a single number
PLAIN = "float64"  # the dtype that is not said


class Primal:
    """The forward half of a scene."""

    def __init__(
        self, outline, folding, show=SHOWN, values=None, number_all=False, grads=None, loops=None
    ):
        self.outline, self.folding, self.show = outline, folding, show
        self.loops = loops or {}  # id of a loop → its KnownLoop
        self.values, self.grads = values or {}, grads or {}
        self.number_all = number_all  # give unnamed values a name: adjoints need one
        self.owner = folding.owners()
        self.ids = [outline.ids[group.members[0]] for group in folding.groups]
        groups = zip(self.ids, folding.groups)
        self.first_ports = {id for f in outline.frames for id in f.starts[: f.carry_count]}
        self.captions = port_captions(outline)
        self.alone = {id: group.members[0] for id, group in groups if group.kind == "one"}
        self.nodes = [self.node(at) for at in range(len(self.ids))]
        self.edges = [*self.make_edges(), *self.order_edges()]

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
            caption=self.captions.get(self.ids[index], ""),
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
        return self.outline.names[at] or (self.outline.numbered_name(at) if needed else "")

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
        is_op = role == "op" and self.outline.ops[at] != "last"
        sign = self.sign(at) if is_op and "op" in self.show else ""
        told = {
            "sign": sign,
            "label": self.label(at, name, number) if "name" in self.show else "",
            "number": number if "value" in self.show else "",
        }
        told["form"] = self.form(at, spec, number, any(told.values()))
        if self.loop(at):
            told |= self.loop_card(at, told)
        says_more = "params" in self.show and not (says_all(sign) or self.loop_result(at))
        params = params_text(value, 26) if says_more and not self.loop(at) else ""
        lines = [params, self.origin(at) if role == "port" else "", *self.more(value, at)]
        return {**told, "lines": tuple(filter(None, lines))}

    def loop(self, at):
        """The LoopFacts of a closed loop that runs again and again; None of all else."""
        loop = loop_of(self.outline.values[at]) if self.outline.roles[at] == "op" else None
        return loop if loop and loop.kind != "choice" else None

    def loop_card(self, at, told):
        """What the card of a closed loop says: an iteration, how often, and its strip."""
        loop, value = self.loop(at), self.outline.values[at]
        xs = [self.outline.values[x] for x in self.outline.inputs[at]]
        outer = [*map(self.term, self.outline.inputs[at][loop.carries + loop.slices :])]
        known = self.loops.get(id(value))
        rows = closed_rows(loop, xs, formal_terms(loop, outer), known and known.count)
        strip = known and known.strip([term.text for term in outer])
        strip = strip and strip._replace(now=None, part="value")
        label = told["label"] if told["number"] else ""
        return {"sign": LOOP, "label": label, "form": "", "formula": rows, "strip": strip}

    def loop_result(self, at):
        """(what it is of a closed loop, its name there) of a value that picks one of its results;
        None of others."""
        source = next(iter(self.outline.inputs[at]), None)
        if self.outline.ops[at] not in ITEMS or source is None or not self.loop(source):
            return None
        loop, index = self.loop(source), peek(self.outline.values[at], "params")["index"]
        names = [*carry_names(loop), *[""] * len(result_words(loop))]
        return result_words(loop)[index], names[index]

    def label(self, at, name, number):
        """The name on a card: an array that shows neither name nor number is called by its id."""
        result = self.loop_result(at)
        name = name or (result[1] if result else "")
        array = self.outline.roles[at] == "op" and form_of(self.outline.values[at]).shape
        nameless = array and not (name or number)
        return self.outline.numbered_name(at) if nameless else self.short(name, at)

    def sign(self, at):
        """The sign of an operation, with the constants that it takes."""
        if result := self.loop_result(at):
            return result[0].replace("last", "")
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
                        ends, caption = (self.ids[owner], self.ids[index]), self.caption(at)
                        yield Edge(*ends, slot=slot, caption=caption)

    def order_edges(self):
        """One edge for what runs first, where both values are drawn and not in one group."""
        pairs = ((self.owner.get(a), self.owner.get(b)) for a, b in self.outline.precedences)
        for first, then in dict.fromkeys(pairs):
            if None not in (first, then) and first != then:
                yield Edge(self.ids[first], self.ids[then], "control")

    def caption(self, at):
        """The word beside the edges to a value: what enters a loop first, and leaves it last."""
        if self.outline.ops[at] == "last" or (self.loop_result(at) or ("",))[0] == "last":
            return "last"
        return "first" if self.outline.ids[at] in self.first_ports else ""

    def is_ordered(self, at):
        """Whether it matters which operand is which."""
        operands = {x for x in self.outline.inputs[at] if x in self.owner}
        if len(operands) < 2 or self.loop(at):
            return False
        op, sign = peek(self.outline.values[at], "op"), sign_of(None, self.outline.ops[at])
        return peek(op, "commutative") is not True and sign not in EITHER_WAY

    def fill(self, scene):
        """The scene with these nodes and edges."""
        opened = (Frame(one.path, lines=(one.words,)) for one in self.folding.iterations)
        frames = (*map(self.with_condition, self.outline.frames), *opened)
        owners = {self.outline.ids[at]: self.ids[index] for at, index in self.owner.items()}
        owners |= self.hidden_owners()
        nodes, edges = tuple(self.nodes), tuple(self.edges)
        return scene._replace(nodes=nodes, edges=edges, frames=frames, owners=owners)

    def with_condition(self, frame):
        """A frame with its condition, where its head says that, and with what is known of it."""
        if frame.body is None:
            return frame
        opened, terms = frame.body, [*map(self.term, self.outer_values(frame.body))]
        known = self.loops.get(id(opened.value))
        condition = ()
        if opened.has_line:
            condition = (GO_ON, *condition_terms(opened.loop, formal_terms(opened.loop, terms)))
        if not known:
            return frame._replace(body=None, condition=condition)
        if condition and all(self.number_terms(opened)):
            condition += numbers_terms(opened.loop, self.number_terms(opened))
        lines = (f"iteration {known.history.shown} of {known.count}",)
        strip = known.strip([term.text for term in terms])
        return frame._replace(body=None, condition=condition, lines=lines, strip=strip)

    def number_terms(self, opened):
        """The numbers of what comes into the iteration that is shown, as Terms; None of others."""
        places = [self.outline.place.get(id(value)) for value in opened.formals]
        numbers = ["" if at is None else self.number(at) for at in places]
        return [Term(minus(text), kind="number") if text else None for text in numbers]

    def outer_values(self, body):
        """The positions of what an open loop takes from outside, None where nothing needs it."""
        loop = body.loop
        outer = body.formals[loop.carries + loop.slices :]
        return [self.outline.place.get(id(value)) for value in outer]

    def term(self, at):
        """The Term of a value: its name, or the number of a constant."""
        if at is None:
            return Term("?")
        number = self.number(at) if self.outline.roles[at] == "constant" else ""
        name = self.name(at) or number or self.outline.numbered_name(at)
        return Term(
            minus(name) if name == number else name, kind="text" if name == number else "value"
        )

    def hidden_owners(self):
        """Id of a constant that is no node → the id of the node that says it."""
        ids, users = self.outline.ids, self.outline.users()
        said = (
            (at, next((u for u in users[at] if u in self.owner), None))
            for at in self.folding.hidden
        )
        return {ids[at]: self.ids[self.owner[user]] for at, user in said if user is not None}


def port_captions(outline):
    """Id of a port → what it is of its loop: "carried", "next x", "slice"."""
    found, names = {}, dict(zip(outline.ids, outline.names))
    for frame in outline.frames:
        carried = zip(frame.starts[: frame.carry_count], frame.ends)
        found |= dict.fromkeys(frame.starts[frame.carry_count :], "slice")
        found |= dict.fromkeys(frame.ends[frame.carry_count :], "row of the stack")
        for start, end in carried:
            found |= {start: "carried", end: f"next {names.get(start, '')}".strip()}
    return found


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
