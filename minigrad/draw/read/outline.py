"""A graph as plain lists: what the results depend on, numbered in the order of creation."""

from collections.abc import Sequence
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.read import clean, is_value, op_name, operands, own_name, peek, role_of, scope_of
from minigrad.draw.read.modules import list_modules, module_scopes, weight_names
from minigrad.draw.read.opened import Inner, Opener
from minigrad.draw.read.order import controls, precedences
from minigrad.draw.scene import MARK, handle_of


class Outline(NamedTuple):
    """Values in creation order; every other list is by position in `values`."""

    values: list
    inputs: list  # tuples of positions, in operand order
    ops: list  # op name, or None
    roles: list  # "input" | "variable" | "constant" | "op"
    names: list  # the learner's name, or ""
    scopes: list  # "layer1/inner", or ""
    results: tuple
    ids: list  # "n3", or "n3_1" for what is inside n3
    place: dict  # id() of a value → its position
    frames: list  # of opened bodies
    precedences: Sequence = ()  # (before, after): what runs first, though it is not read there

    def users(self):
        """The positions of the values that use each value, one entry per use."""
        users = [[] for _ in self.values]
        for position, inputs in enumerate(self.inputs):
            for source in inputs:
                users[source].append(position)
        return users

    def behind(self, ends):
        """The positions of all that the ends were computed from, and of the ends."""
        found, todo = set(), list(ends)
        while todo:
            at = todo.pop()
            if at not in found:
                found.add(at)
                todo += self.inputs[at]
        return found

    def numbered_name(self, at):
        """A name for what has none: v and the number of its id, which no pass changes."""
        number = self.ids[at].removeprefix("n")
        return f"v{number if number.isdecimal() else at}"

    def frames_named(self, ids):
        """The paths of the opened bodies of the values with these ids."""
        return [frame.path for frame in self.frames if handle_of(frame.path) in ids]

    def words(self, path):
        """What a frame is called: the path of a name scope, or the label of an opened body."""
        known = (f.closed or " ".join(f.lines) for f in self.frames if f.path == path)
        return next(known, path)


class Number:
    """An operand that is no graph value, as in `x * 2` of a learner's engine: a constant."""

    op, inputs, role = None, (), "constant"

    def __init__(self, value):
        self.value = value


def outline(results, names=None, is_open=None, arguments=(), insides=None, lines=False):
    """The graph behind `results`; `names` maps names to values, as `locals()` does.

    `is_open(id, value)` says which loops, choices and kernels are opened, `insides` which bodies an
    Opener puts there, `lines` whether it leaves short conditions out; `arguments` are values that
    came in from outside, whatever they look like.
    """
    found, inputs = gather_values(results)
    order = creation_order(found)
    ids = {id(value): f"n{at}" for at, value in enumerate(order)}
    opener = Opener(is_open, insides, lines)
    if is_open:
        opener.walk(order, inputs)
    if opener.results:
        results = [opener.stand.get(id(value), value) for value in results]
        found, inputs = gather_values([*results, *opener.extra], opener.below)
        order = creation_order(found)
    found = make_outline(order, inputs, results, names, ids, opener)
    pull_leaves(found)
    for at in {found.place.get(id(value)) for value in arguments} - {None}:
        found.roles[at] = "input"
    return found


def make_outline(order, inputs, results, names, ids, opener):
    """The Outline of values in order."""
    place = {id(value): position for position, value in enumerate(order)}
    places = place | {was: place[id(new)] for was, new in opener.stand.items() if id(new) in place}
    sources = [tuple(place[id(source)] for source in inputs[id(value)]) for value in order]
    ops = [op_name(value) for value in order]
    ids = [value.id if isinstance(value, Inner) else ids[id(value)] for value in order]
    modules = list_modules(names, order)
    known, inside = learner_names(names, places, ids), module_scopes(modules, order)
    for identity, name in weight_names(modules).items():
        if identity in places:
            known[places[identity]] = name
    return Outline(
        values=order,
        precedences=precedences(order, sources, ops, place),
        inputs=sources,
        ops=ops,
        roles=[role_of(*parts) for parts in zip(order, ops, sources)],
        names=[known.get(position) or own_name(value) for position, value in enumerate(order)],
        scopes=[
            v.scope if isinstance(v, Inner) else scope_of(v) or inside.get(id(v), "") for v in order
        ],
        results=tuple(dict.fromkeys(place[id(value)] for value in results)),
        ids=ids,
        place=places,
        frames=opener.frames,
    )


def pull_leaves(graph):
    """A constant or parameter that is used in one frame alone, and stands around it, goes in.

    So it can hug its user; of fused groups, only constants are inside the kernel.
    """
    kernels = {frame.path for frame in graph.frames if frame.kind == "fused"}
    for at, used in enumerate(graph.users()):
        paths = {graph.scopes[user] for user in used}
        if graph.roles[at] not in ("constant", "variable") or len(paths) != 1:
            continue
        (path,) = paths
        around = path.startswith(graph.scopes[at] and graph.scopes[at] + "/")
        if path in kernels and graph.roles[at] == "constant" or around and MARK not in path:
            graph.scopes[at] = path


def graph_values(values, caller="draw"):
    """The graph values in nested lists and tuples; anything else is refused, by the `caller`."""
    flat = []
    for value in values:
        if isinstance(value, (list, tuple)) and not is_value(value):
            flat += graph_values(value, caller)
        elif is_value(value):
            flat.append(value)
        else:
            raise ArgumentError(
                f"{caller}: {type(value).__name__} is not a graph value: it has no .op and .inputs",
                "pass a Tensor, a Node, a list of them, or a value of your own engine; or alone a "
                "net, a Graph, a Session, an Executable or a function",
            )
    return flat


def gather_values(results, below=None):
    """All values the results depend on, inputs first, and the inputs of each by identity.

    `below` has the inputs of values whose own ones do not count.
    """
    found, inputs, todo = [], {}, [(value, False) for value in reversed(results)]
    below = below or {}
    while todo:  # a loop, not recursion: graphs may be 100,000 deep
        value, ready = todo.pop()
        if ready:
            found.append(value)
        elif id(value) not in inputs:
            sources = below.get(id(value)) or (operands(value) if is_value(value) else [])
            sources = [v if is_value(v) else Number(v) for v in sources]
            inputs[id(value)] = sources
            todo.append((value, True))
            needed = [*controls(value), *sources]
            todo += [(v, False) for v in reversed(needed) if id(v) not in inputs]
    return found, inputs


def creation_order(found):
    """Sorted by `.order` where every value has one; a plain number goes before its first user."""
    stamps, last = [], None
    for value in reversed(found):
        stamp = last if isinstance(value, Number) else peek(value, "order")
        stamp = (stamp,) if isinstance(stamp, int) else stamp
        if not isinstance(stamp, tuple):
            return found
        stamps.append(stamp)
        last = stamp
    stamps.reverse()
    rank = sorted(range(len(found)), key=lambda at: (stamps[at], at))
    return [found[at] for at in rank]


class NodeId(NamedTuple):
    """A node, where otherwise a value stands, or in `names` a name: nobody has what is inside
    opened bodies, and two of them may call something by the same name."""

    id: str


def learner_names(names, place, ids):
    """Position → variable name, from `names=locals()`; also the entries of lists and tuples."""
    known, there = {}, {name: at for at, name in enumerate(ids)}
    for name, thing in list((names or {}).items()):
        if isinstance(name, NodeId):
            known.setdefault(there.get(name.id), clean(thing, 28))
            continue
        if not isinstance(name, str) or name.startswith("_"):  # _ and _3 are the notebook's own
            continue
        known.setdefault(place.get(id(thing)), clean(name, 28))
        if isinstance(thing, (list, tuple)) and name not in ("In", "Out"):
            for at, part in enumerate(thing[:1000]):
                known.setdefault(place.get(id(part)), clean(f"{name}[{at}]", 28))
    known.pop(None, None)
    return known


class NodeGroup(NamedTuple):
    """Values drawn as one node."""

    members: tuple  # positions in the outline, sorted
    kind: str = "one"  # "one" | "scope" | "repeat" | "rest"
    label: str = ""
    times: int = 1
    path: str = ""  # of the frame that it stands for


class OpenIteration(NamedTuple):
    """One iteration of a repeat that the reader asked to see."""

    around: str  # the scope that holds it
    path: str  # of its frame
    members: frozenset
    words: str


class Folding(NamedTuple):
    """Which groups are drawn, which constants stand in labels instead, and what was done."""

    groups: list
    hidden: dict  # position of a constant → its text
    said: list
    iterations: tuple = ()  # of OpenIteration

    def path(self, at, scope):
        """The scope of a value, with the frame of an opened iteration that it stands in."""
        for iteration in self.iterations:
            if at in iteration.members:
                return "/".join(
                    filter(None, (iteration.path, scope[len(iteration.around) :].lstrip("/")))
                )
        return scope

    def owners(self):
        """Position → index of its group; hidden constants have none."""
        return {at: index for index, group in enumerate(self.groups) for at in group.members}

    def alone(self):
        """The positions of the values that are drawn as one node each."""
        return [group.members[0] for group in self.groups if group.kind == "one"]

    def size(self):
        """The number of nodes to draw."""
        return len(self.groups)


def order_groups(groups):
    """By first member, so that ids rise in creation order."""
    return sorted(groups, key=lambda group: group.members[0])
