"""A memory plan as a timetable: a column for each operation, in the order in which they run, and a
block for each stay of values in a buffer, from its first to its last use."""

from typing import NamedTuple

from minigrad.draw.modes.plan import NAMED, buffer_numbers, home_of, plan_totals
from minigrad.draw.read import bytes_of, bytes_text, form_of, own_name
from minigrad.draw.read.bodies import kernel_of, loop_of
from minigrad.draw.read.cards import choose_names
from minigrad.draw.read.outline import outline
from minigrad.draw.read.roles import BACKWARD, FORWARD, UPDATE, read_roles
from minigrad.draw.read.signs import card_sign
from minigrad.draw.scene import SIGNS

AXES = "Time runs to the right, addresses upwards."
MOST = 400  # columns; with more, each would be thinner than two lines


class Column(NamedTuple):
    """One operation: what its card says; `reads` are the ids of the columns that it reads."""

    id: str
    name: str
    sign: str
    look: str  # of its card: "op" | "adjoint" | "variable" | "result"
    lane: str  # "forward" | "backward" | "update"; "" where nothing was differentiated
    role: str  # "adjoint" where the name has a bar
    reads: tuple
    tip: str
    opens: str  # the handle of the loop that it is

    @property
    def full_name(self):
        """The name as text, with the bar of an adjoint."""
        return SIGNS.get(self.role, str)(self.name)


class Stay(NamedTuple):
    """One stay in a buffer: its bytes of the arena, the columns from `start` up to `stop`, and
    the columns at which values are written there, each over the one before."""

    number: int
    offset: int
    bytes: int
    start: int
    stop: int
    holds: tuple


class Timetable(NamedTuple):
    """A plan in columns and blocks, with its figures in bytes; `says` is its result in words."""

    columns: tuple
    blocks: tuple
    arena: int
    peak: int
    says: str
    notes: tuple


def read_timetable(executable, names):
    """(the Timetable of an Executable, "") or (None, why there is none); `names` are the learner's
    names of its values."""
    plan = executable.plan
    steps = [s for s, node in enumerate(plan.order) if node.inputs and not is_plan_view(plan, node)]
    if not plan.arena_bytes:
        return None, ""
    if len(steps) > MOST:
        return None, f"{len(steps):,} operations do not stand side by side: drawn as a graph."
    graph = outline(list(executable.program.roots()), names)
    columns = tuple(ColumnReader(graph, executable).columns(steps))
    notes = tuple(notes_on_columns(graph, plan, columns))
    blocks = tuple(read_blocks(plan, steps))
    return Timetable(
        columns, blocks, plan.arena_bytes, plan.peak_bytes, plan_totals(plan), notes
    ), ""


def is_plan_view(plan, node):
    """Whether a value lies in the memory of its operand, and is not computed."""
    value = plan.values[node.order]
    return value.base != node.order and not value.in_place


# columns -----------------------------------------------------------------------------------------


class ColumnReader:
    """Makes the Columns of a program."""

    def __init__(self, graph, executable):
        self.graph, self.plan = graph, executable.plan
        self.stores = executable.program.stores
        self.numbers, self.names = buffer_numbers(self.plan), choose_names(graph)
        self.variables = {id(new): variable for variable, new in self.stores}
        self.roles = read_roles(graph)
        self.primals = {}  # position of an adjoint → the last of the values that it is of
        for primal in sorted(self.roles.adjoints, reverse=True):
            for at in self.roles.adjoints[primal]:
                self.primals.setdefault(at, primal)
        self.lanes = self.find_lanes()

    def find_lanes(self):
        """{position: its lane}; {} where nothing was differentiated."""
        ends, behind = self.roles.ends(), self.graph.behind
        if not ends:
            return {}
        forward, backward = behind(ends), {*self.roles.lane(BACKWARD)}
        update = behind(self.graph.place[id(new)] for _, new in self.stores) - forward - backward
        lanes = dict.fromkeys(range(len(self.graph.values)), FORWARD)
        return lanes | dict.fromkeys(backward, BACKWARD) | dict.fromkeys(update, UPDATE)

    def columns(self, steps):
        """The Columns of these steps of the plan."""
        nodes = [self.plan.order[step] for step in steps]
        ids = {node.order: self.graph.ids[self.graph.place[id(node)]] for node in nodes}
        return [self.column(node, ids) for node in nodes]

    def column(self, node, ids):
        """The Column of one node; `ids` are those of all that have one."""
        at = self.graph.place[id(node)]
        name, role = self.name(node, at)
        words = home_of(node, self.plan, self.numbers, self.stores).words
        told = (self.graph.ops[at], SIGNS.get(role, str)(name), str(form_of(node)))
        return Column(
            ids[node.order],
            name,
            "kernel" if kernel_of(node) is not None else card_sign(self.graph, at, ()),
            self.look(node, at),
            self.lanes.get(at, ""),
            role,
            tuple(dict.fromkeys(self.read_ids(node, ids))),
            " ".join(filter(None, (*told, ", ".join(words)))),
            ids[node.order] if loop_of(node) else "",
        )

    def name(self, node, at):
        """(name, role): of what is stored its variable's, of an adjoint that of its value."""
        if id(node) in self.variables:
            place = self.graph.place.get(id(self.variables[id(node)]))
            own = own_name(self.variables[id(node)]) or "a variable"
            return (own if place is None else self.names[place]), ""
        if at in self.primals:
            return self.names[self.primals[at]], "adjoint"
        return self.names[at], ""

    def look(self, node, at):
        """How a card looks: by what becomes of its value."""
        if id(node) in self.variables:
            return "variable"
        if self.plan.values[node.order].space == "result":
            return "result"
        return "adjoint" if self.lanes.get(at) == BACKWARD else "op"

    def read_ids(self, node, ids):
        """The ids of the columns that a node reads, also through views."""
        for x in node.inputs:
            if x.order in ids:
                yield ids[x.order]
            elif x.inputs:
                yield from self.read_ids(x, ids)


def notes_on_columns(graph, plan, columns):
    """How to read the picture, what becomes of results, and what lies in no block."""
    yield f"{AXES} A block holds values from the first write to the last read."
    at = {graph.ids[graph.place[id(node)]]: node for node in plan.order}
    nodes = [at[column.id] for column in columns]
    results = [pair for pair in zip(columns, nodes) if pair[0].look == "result"]
    if out := [f"{column.full_name} ({bytes_text(bytes_of(node))})" for column, node in results]:
        whose = "its" if len(out) == 1 else "their"
        yield f"Handed out, in memory of {whose} own: {', '.join(first_names(out))}."
    if stored := [column.name for column in columns if column.look == "variable"]:
        yield f"Stored in variables: {', '.join(first_names(stored))}."
    if any(loop_of(node) for node in nodes):
        yield "What a loop computes lies in memory of its own."
    numbers = (node for node in nodes if plan.values[node.order].space == "number")
    if not all(map(holds_body, numbers)):
        yield "A single number takes no buffer."
    if views := sum(bool(node.inputs) for node in plan.order) - len(nodes):
        are = "views, such as transposed arrays, have" if views > 1 else "view has"
        yield f"{views} {are} no column: nothing is computed there."


def holds_body(node):
    """Whether a node is a kernel or a loop, whose results are nodes of their own."""
    return kernel_of(node) is not None or loop_of(node) is not None


def first_names(names):
    """The first names, and how many more there are."""
    more = [f"… {len(names) - NAMED} more"] * (len(names) > NAMED)
    return [*names[:NAMED], *more]


# blocks ------------------------------------------------------------------------------------------


def read_blocks(plan, steps):
    """The Blocks of a plan whose columns are these steps, from the first on."""
    numbers, holds = buffer_numbers(plan), {}
    for column, step in enumerate(steps):
        node = plan.order[step]
        holds.setdefault(plan.values[node.order].base, []).append(column)
    for key, number in numbers.items():
        value = plan.values[key]
        if not value.size:
            continue
        first, last = value.live_range
        start = sum(step < first for step in steps)
        stop = sum(step <= last for step in steps)
        yield Stay(number, value.offset, value.size, start, stop, tuple(holds[key]))
