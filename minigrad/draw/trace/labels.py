"""What the values of a trace are called, and which node of a drawing each of them is."""

from collections import Counter, defaultdict
from functools import cached_property

from minigrad.draw.read import op_name, peek, role_of, value_text, whole
from minigrad.draw.read.opened import Inner
from minigrad.draw.read.outline import outline
from minigrad.draw.scene import MARK
from minigrad.draw.trace.event import Trace


class Labels:
    """Ids and names of all values that `results` depend on; `names` as in `draw`."""

    def __init__(self, results, names=None):
        self.learner_names = dict(names or {})
        self.graph = outline(results, self.learner_names)
        names, scopes = self.graph.names, self.graph.scopes
        ends = [name.removeprefix(f"{scope}/") for name, scope in zip(names, scopes)]
        count = Counter(ends)
        short = [end if count[end] == 1 else name for end, name in zip(ends, names)]
        self.texts = [self.text(at, name, {*short}) for at, name in enumerate(short)]

    def text(self, at, name, taken):
        """The learner's name, without its scope where that is clear; a constant's number; v3, and
        v3′ where the learner calls another value v3."""
        constant = self.graph.roles[at] == "constant"
        if name or constant and (name := value_text(self.graph.values[at])):
            return name
        name = f"{'c' if constant else 'v'}{at}"
        return f"{name}′" if name in taken else name

    def place(self, value):
        """The position of a value in the outline."""
        return self.graph.place[id(whole(value))]

    def id(self, value):
        """The id of a value's node."""
        return f"n{self.place(value)}"

    def name(self, value):
        """What sentences call a value."""
        return self.texts[self.place(value)]

    def role(self, value):
        """input, variable, constant or op."""
        return self.graph.roles[self.place(value)]

    @cached_property
    def bodies(self):
        """The graph with all its bodies opened."""
        results = [self.graph.values[at] for at in self.graph.results]
        return outline(results, self.learner_names, lambda id, value: True)

    @cached_property
    def inner(self):
        """{id: value} of all that stands in an opened body; of loops in it also those closed. The
        steps of a kernel, which are no nodes, are none of them."""
        results, found = [self.graph.values[at] for at in self.graph.results], {}
        inner = [v for v in self.bodies.values if isinstance(v, Inner)]
        deepest = max((v.id.count("_") for v in inner), default=0)
        for depth in range(deepest, 0, -1):
            graph = outline(
                results, self.learner_names, lambda id, value, most=depth: id.count("_") < most
            )
            nodes = (v for v in graph.values if isinstance(v, Inner) and v.origin is not None)
            found |= {v.id: v for v in nodes if "_" in v.id}
        return found

    def inner_ids(self):
        """{(id of a loop, the identity of a node of its body): ids of what is drawn for it}: of
        its value, and of the port by which that leaves."""
        found = defaultdict(list)
        for name, value in self.inner.items():
            loop, source = name.rpartition("_")[0], next(iter(value.inputs), None)
            leaves = value.role == "port" and isinstance(source, Inner)
            leaves = leaves and source.id.rpartition("_")[0] == loop
            node = source.origin if leaves else value.origin
            found[loop, id(node)].append(name)
        return found

    def leaving(self, loop):
        """The ids of the ports by which results leave the loop of that id, in their order."""
        frames = (f for f in self.bodies.frames if f.path.rpartition("/")[2] == MARK + loop)
        return next((frame.ends for frame in frames), ())

    def trace(self, mode, events, results):
        """The Trace of events about these values."""
        events, results = tuple(events), tuple(results)
        names, values = tuple(self.texts), tuple(self.graph.values)
        return Trace(mode, events, results, names, values, self.learner_names, self.inner)


def body_name(node):
    """What a sentence calls a value of a body: its name, a constant's number, t5; in a condition
    q5."""
    number = value_text(node) if role_of(node, op_name(node), node.inputs) == "constant" else ""
    asked = str(peek(peek(node, "graph"), "name")).startswith("condition")
    return node.name or number or f"{'q' if asked else 't'}{node.order}"


def line_of(value):
    """Where the learner made a value, if that is known."""
    return peek(value, "line")
