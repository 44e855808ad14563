"""The picture of a player: one layout for all steps, and what each node says at each step."""

from functools import cached_property

from minigrad.draw import draw
from minigrad.draw.drawing import Drawing
from minigrad.draw.layout.boxes import box_size
from minigrad.draw.look import numbered_fill
from minigrad.draw.modes.plan import Home, buffer_words, dress_node
from minigrad.draw.read import PENDING, bytes_of, own_name, peek
from minigrad.draw.read.outline import NodeId
from minigrad.draw.scene import handle_of
from minigrad.draw.trace.labels import body_name

MARK = "⟦number⟧"  # stands in a label where a number comes
MODES = {
    "reverse": ("split", "adjoints", "_bar"),
    "forward": ("tangent", "tangents", "_dot"),
    "run": ("forward", None, ""),
}
BUDGET = 60
NARROW = 520  # pixels: where a picture that runs down is narrower, a narrow page shows it


def is_computed(value):
    """Whether a value inside a body is what an op there gives, and has no name of its own."""
    return value.role != "port" and bool(value.inputs) and not own_name(value)


class Picture:
    """The drawing of a trace's results; `texts` lists what each node says, step after step."""

    def __init__(self, trace, title, expand=(), collapse=()):
        self.trace, self.title = trace, title
        self.expand, self.collapse = expand, collapse
        self.ending = MODES[trace.mode][2]
        self.derivative_nodes = {
            event.node for event in trace.events if event.derivative and not event.inner
        }
        self.scene = self.template()
        self.ids = {node.id for node in self.scene.nodes}
        self.texts = {}
        for event in trace.events:
            for id, text in self.texts_of(event):
                self.texts.setdefault(id, []).append(text)

    def template(self):
        """The scene with a mark for every number that a step will bring."""
        trace = self.trace
        mode, derivatives, _ = MODES[trace.mode]
        valued = {event.node for event in trace.events if not event.derivative}
        inner = {True: set(), False: set()}
        for event in trace.events:
            for id, _, moved in inner_parts(event):
                inner[moved].add(id)
        options = {"values": [(self.value(id), MARK) for id in sorted(valued)]}
        options["values"] += [(NodeId(id), MARK) for id in sorted(inner[False])]
        if derivatives:
            options[derivatives] = [(self.value(id), MARK) for id in sorted(self.derivative_nodes)]
            options[derivatives] += [(NodeId(id), MARK) for id in sorted(inner[True])]
            options["wrt"] = self.ends() or None
        options |= {"mode": mode, "names": self.names(), "title": self.title, "budget": BUDGET}
        options |= {"expand": self.expand, "collapse": self.collapse}
        found = draw(*trace.results, **options).scene
        scene = found._replace(edges=self.with_amounts(found, trace.events))
        homes = {event.node: self.home(event) for event in trace.events if event.phase == "run"}
        nodes = tuple(dress_node(n, homes.get(n.id)) for n in scene.nodes)
        marks = ("pending", *["contribution"] * any(edge.label for edge in scene.edges))
        rides = "contribution" not in marks
        notes = (*scene.notes, *[trace.note] * bool(trace.note))
        return scene._replace(nodes=nodes, always_in_key=marks, rides=rides, notes=notes)

    def with_amounts(self, scene, events):
        """The edges of a scene, with the contributions of these events to single numbers."""
        bearers, amounts = {node.id for node in scene.nodes if node.number == MARK}, {}
        for one in (event.contribution for event in events):
            ends = one and (one.user + self.ending, one.operand + self.ending)
            if one and one.number and bearers.issuperset(ends):
                amounts.setdefault(ends, []).append(one.amount.text)
        found = ((edge, amounts.get((edge.source, edge.target))) for edge in scene.edges)
        return tuple(edge._replace(label=t.pop(0) if t else "") for edge, t in found)

    def home(self, event):
        """The colour and the words of the buffer that a step writes into; None without one."""
        if event.buffer[:1] != "B":
            return None
        number = int(event.buffer[1:])
        words = buffer_words(number, bytes_of(self.value(event.node)))
        return Home(numbered_fill(number), (words, *["in place"] * event.in_place))

    def names(self):
        """The learner's names, and those that sentences give to what has none."""
        pairs = zip(self.trace.names, self.trace.values)
        nameless = {name: v for name, v in pairs if name[:1] == "v" and name[1:].isdecimal()}
        parts = self.trace.inner.items()
        inner = {NodeId(id): body_name(v.origin) for id, v in parts if is_computed(v)}
        return {**nameless, **self.trace.learner_names, **inner}

    def frames(self):
        """The frames of what is opened."""
        return self.scene.frames

    def handles(self):
        """What can be opened or closed here, as `expand` names it."""
        paths = {path for node in self.scene.nodes for path in paths_of(node.scope)}
        opened = {handle_of(path) for path in paths}
        return (opened | {node.opens for node in self.scene.nodes}) - {""}

    def value(self, id):
        """The value that is drawn as node `id`."""
        return self.trace.values[int(id[1:])]

    def ends(self):
        """What is differentiated for: what moves, and none of whose operands moves."""
        at = {id(value): f"n{place}" for place, value in enumerate(self.trace.values)}
        moved = map(self.value, sorted(self.derivative_nodes))
        return [
            v for v in moved if self.derivative_nodes.isdisjoint(at.get(id(x)) for x in v.inputs)
        ]

    def node_of(self, id):
        """The node in which a value is drawn, also one in a closed body, or one that is opened."""
        owners = self.scene.owners
        if id in owners:
            return owners[id]
        inside = (node.id for node in self.scene.nodes if node.id.startswith(f"{id}_"))
        around = id.rpartition("_")[0]
        return next(inside, "") or (self.node_of(around) if around else "")

    def place_of(self, event):
        """The id of the node that a step is about."""
        return self.node_with(event.inner or event.node, self.side_of(event))

    def node_with(self, id, side):
        """The id of the node in which a value is drawn, or its derivative."""
        return self.node_of(id) + side

    def side_of(self, event):
        """What the id of a step's node ends with, behind that of its value."""
        return self.ending if event.derivative else ""

    def texts_of(self, event):
        """(id, text) of what is known after a step."""
        return event_texts(event, self.ending)

    def nodes_by_id(self):
        """{id of a value: id of the node in which it is drawn}, where these differ."""
        parts = ((e.node, e.inner, *(e.edge or ())) for e in self.trace.events)
        ids = {id for one in parts for id in one} - {""}
        found = {id: self.node_of(id) for id in sorted(ids)}
        return {id: node for id, node in found.items() if node != id}

    # labels --------------------------------------------------------------------------------------

    def changing(self):
        """The ids of the nodes that bear a number."""
        return [node.id for node in self.scene.nodes if node.number == MARK]

    @cached_property
    def final_drawing(self):
        """The Drawing when all steps are done; it is laid out once, and shown in several places."""
        return self.drawing(len(self.trace.events))

    def drawing(self, step):
        """The Drawing when so many steps are done; it is laid out for all steps."""
        texts, events = {}, self.trace.events[:step]
        for event in events:
            texts |= self.texts_of(event)
        nodes = tuple(with_number(node, texts.get(node.id, PENDING)) for node in self.scene.nodes)
        edges = self.with_amounts(self.scene, events)
        scene = self.scene._replace(nodes=nodes, edges=edges)
        return Drawing(scene, self.widest(*self.room_to_move()))

    def upright(self, step):
        """The same for a narrow page; None where it is so by itself, or very large."""
        shown = self.drawing(step)
        room = self.widest(*(text[:-2] for text in self.room_to_move()))
        found = Drawing(shown.scene._replace(upright=True), room._replace(upright=True))
        across, boxes = shown.placement.across, found.placement.boxes.values()
        width = max(box.right for box in boxes) - min(box.left for box in boxes)
        return found if across and width <= NARROW else None

    def widest(self, *more):
        """The scene with the widest label that each node ever has, or has with `more` texts."""
        changing = set(self.changing())
        nodes = (self.wide(n, more) if n.id in changing else n for n in self.scene.nodes)
        return self.scene._replace(nodes=tuple(nodes))

    def wide(self, node, more):
        """The node with its widest label."""
        texts = {PENDING, *self.texts.get(node.id, ()), *more}
        labels = (with_number(node, text) for text in texts)
        return max(labels, key=lambda one: (box_size(one), one.texts()))

    def room_to_move(self):
        """A number as wide as those that a reader may drag single numbers to."""
        values = self.trace.values
        single = all((peek(v, "shape"), peek(v, "dtype")) == ((), float) for v in values)
        return ["-8.888"] * (single and not self.trace.inner)


def paths_of(scope):
    """The paths of a frame and of those around it."""
    parts = scope.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def event_texts(event, ending):
    """(id, text) of what is known after a step; of a loop, where it is closed and where not."""
    own = event.node + (ending if event.phase in ("backward", "tangent") else "")
    text = f"iteration {event.turn}" if event.turn else event.result
    return [(own, text), *((id + ending * moved, text) for id, text, moved in inner_parts(event))]


def inner_parts(event):
    """(id, text, whether it is a derivative) of what a step tells inside an opened body."""
    own = [(event.inner, event.result, bool(event.derivative))] if event.inner else []
    return [*own, *event.also]


def with_number(node, text):
    """A node of the template with its number, where it has one."""
    number = text or PENDING
    told = {name: number for name in ("number", "value") if getattr(node, name) == MARK}
    return node._replace(**told)
