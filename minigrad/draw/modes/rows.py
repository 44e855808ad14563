"""Passes as rows: the graph that each of them left as small marks, and what became of these."""

from typing import NamedTuple

from minigrad.draw.modes.passes import (
    call_words,
    pass_changes,
    running_words,
    swapped_operands,
)
from minigrad.draw.modes.plan import plan_totals
from minigrad.draw.modes.steps import PassHistory
from minigrad.draw.read import form_of, value_text
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.fold import is_single_constant
from minigrad.draw.read.signs import FLOW, minus, op_sign, with_constants

OPERANDS = 2  # of an operation whose sign can hold a constant
LONGEST = 7  # letters of a number in a sign
BUILT = "as it was built"
HIDDEN = "A number that an operation takes stands in its sign, and counts as a node, too."


class SmallMark(NamedTuple):
    """A value as a small mark; `inputs` are the ids of those that it is computed from."""

    id: str
    role: str  # a key of look.ROLES
    text: str  # its sign, its name or its number
    inputs: tuple
    tip: str = ""
    result: bool = False
    kernel: int = 0  # the number of the kernel that it is in, from 1 on
    state: str = ""  # "ring" for what changed, "gone" for what was removed
    reason: str = ""  # in a few words
    survivor: str = ""  # the id of the equal mark that stays


class PassRow(NamedTuple):
    """What one pass left: its name, how many nodes, why, and all marks."""

    title: str
    counts: str
    why: str
    marks: tuple
    part: str = ""  # which body it is of
    bright: frozenset = frozenset()  # (source, target) of the edges that are new
    kernels: frozenset = frozenset()  # numbers of the kernels that are new

    def edges(self):
        """(source, target) of the edges between marks that are there, in operand order."""
        there = {mark.id for mark in self.marks if mark.state != "gone"}
        return [
            (source, mark.id)
            for mark in self.marks
            if mark.id in there
            for source in mark.inputs
            if source in there
        ]

    def news(self):
        """The ids of what the pass made, changed or fused."""
        fused = {mark.id for mark in self.marks if mark.kernel in self.kernels}
        return fused | {mark.id for mark in self.marks if mark.state == "ring"}


def pass_rows(executable):
    """A list of PassRows for the program, and one for each body of a loop or a choice that a pass
    changed: in each list a mark has one id."""
    history = PassHistory(executable, lambda handle: False)
    for part, steps in history.graphs():
        changes = [change for change in pass_changes(iter(steps)) if change.is_some]
        if not part or len(changes) > 1:
            yield list(rows_of_graph(part, changes, history.handles))


def running_row(executable):
    """The PassRow, without marks, of what runs, and of its memory."""
    history = PassHistory(executable, lambda handle: False)
    words = running_words(history.close_bodies()) or "nothing"
    return PassRow("what runs", words, plan_totals(executable.plan), ())


def rows_of_graph(part, changes, handles):
    """The PassRows of one graph; `part` says which body it is."""
    hidden, earlier = hidden_ids([change.left for change in changes]), {}
    for at, change in enumerate(changes):
        reader = MarkReader(change.found.graph, hidden, handles, bool(part))
        marks = list(map(reader.mark, reader.shown()))
        if at:
            marks = [*mark_states(reader, marks, change, earlier)]
        row = PassRow(*row_words(part, change.step, at, hidden), tuple(marks), part if at else "")
        yield row if not at else name_news(row, earlier)
        earlier = {mark.id: mark for mark in marks if mark.state != "gone"}


def row_words(part, step, at, hidden):
    """(title, counts, why) of a row."""
    report = step.report
    if not at:
        why = HIDDEN if hidden and not part else ""
        return part or BUILT, f"{report.after} nodes", why
    return report.title, f"{report.before} → {report.after} nodes", report.purpose


def name_news(row, earlier):
    """The row with the edges and the kernels that the row before, {id: SmallMark}, had not."""
    known = {(source, mark.id) for mark in earlier.values() for source in mark.inputs}
    kernels = {mark.kernel for mark in row.marks} - {mark.kernel for mark in earlier.values()}
    return row._replace(bright=frozenset(row.edges()) - known, kernels=frozenset(kernels - {0}))


# marks -------------------------------------------------------------------------------------------


def hidden_ids(graphs):
    """The ids of the constants that stand in the signs of their users in all of these Outlines."""
    fit, others = set(), set()
    for graph in graphs:
        for at, users in enumerate(graph.users()):
            (fit if can_stand_in_sign(graph, at, users) else others).add(graph.ids[at])
    return fit - others


def can_stand_in_sign(graph, at, users):
    """Whether a value is a number that each of its users can say in its sign."""
    return (
        is_single_constant(graph, at)
        and at not in graph.results
        and len(value_text(graph.values[at])) <= LONGEST
        and bool(users)
        and all(
            graph.roles[user] == "op"
            and len(graph.inputs[user]) <= OPERANDS
            and loop_of(graph.values[user]) is None
            for user in users
        )
    )


class MarkReader:
    """Reads the values of an Outline as Marks. `hidden` are the ids of constants in signs;
    `handles` are those of loops; in a `body`, what is carried is drawn so."""

    def __init__(self, graph, hidden, handles, body):
        self.graph, self.hidden, self.handles, self.body = graph, hidden, handles, body
        paths = [frame.path for frame in graph.frames if frame.kind == "fused"]
        self.kernels = {path: number for number, path in enumerate(paths, 1)}

    def shown(self):
        """The positions of the values that have marks."""
        return [at for at, id in enumerate(self.graph.ids) if id not in self.hidden]

    def mark(self, at):
        """The SmallMark of the value at a position."""
        graph, role = self.graph, self.graph.roles[at]
        return SmallMark(
            graph.ids[at],
            "port" if self.body and role == "variable" else role,
            self.text(at, role),
            tuple(graph.ids[x] for x in graph.inputs[at] if graph.ids[x] not in self.hidden),
            " ".join(filter(None, (call_words(graph, at), str(form_of(graph.values[at]))))),
            at in graph.results,
            self.kernels.get(graph.scopes[at], 0),
        )

    def text(self, at, role):
        """What stands on a mark: a sign, a name, a number, or at least what it is."""
        value = self.graph.values[at]
        if role == "op":
            return self.sign(at)
        number = value_text(value) if role == "constant" else ""
        return self.graph.names[at] or minus(number) or role

    def sign(self, at):
        """The sign of an operation, with the numbers that it takes; of a loop, its handle."""
        graph = self.graph
        value, op, inputs = graph.values[at], graph.ops[at], graph.inputs[at]
        if handle := self.handles.get(id(value)):
            return f"{FLOW.get(op, '↻')} {handle}"
        numbers = [value_text(graph.values[x]) if graph.ids[x] in self.hidden else None
                   for x in inputs]  # fmt: skip
        sign = op_sign(graph, at)
        if len(sign) == 1 and len(numbers) == OPERANDS and None not in numbers:
            return sign.join(map(minus, numbers))
        return with_constants(sign, numbers)


# what a pass did ---------------------------------------------------------------------------------


def mark_states(reader, marks, change, earlier):
    """The marks of a pass with what became of them; `earlier` has those before it by id."""
    graph, gone = reader.graph, {at for at, mark in change.found.marks.items() if mark == "gone"}
    ids = {graph.ids[at] for at in change.found.marks} - {graph.ids[at] for at in gone}
    kept = {change.why[at].survivor for at in gone if at in change.why} - {None}
    shared = {graph.ids[at] for at in kept}
    new = {mark.id for mark in marks if is_new(mark, earlier.get(mark.id))} & ids
    nothing = not (new or shared or any(graph.ids[at] not in reader.hidden for at in gone))
    place = {id: at for at, id in enumerate(graph.ids)}
    for mark in marks:
        at = place[mark.id]
        if at in gone:
            yield strike_mark(mark, at, change, reader)
        elif mark.id in new or mark.id in shared or nothing and mark.id in ids:
            yield mark._replace(state="ring", reason=reason_of_change(mark, at, change, earlier))
        else:
            yield mark


def is_new(mark, earlier):
    """Whether a mark was not there before, or says something else."""
    return earlier is None or (mark.text, mark.role) != (earlier.text, earlier.role)


def reason_of_change(mark, at, change, earlier):
    """Why an operation became another one; what became a number says so itself."""
    known = mark.id in earlier and mark.role == "op" and is_new(mark, earlier[mark.id])
    return change.why[at].words if known and at in change.why else ""


def strike_mark(mark, at, change, reader):
    """The mark of what is gone, with the reason."""
    graph, why = reader.graph, change.why.get(at)
    if why and why.survivor is not None:
        survivor = graph.ids[why.survivor]
        words = reader.text(why.survivor, graph.roles[why.survivor])
        return mark._replace(state="gone", reason=f"same as {words}", survivor=survivor)
    source = stand_in(change, at) if why is None or why.is_equation else None
    if source is not None and graph.ids[source] in mark.inputs:
        several = len({*mark.inputs}) > 1
        words = f"= {call_words(graph, source, deep=False)}" if several else "= its input"
        return mark._replace(state="gone", reason=words)
    return mark._replace(state="gone", reason=why.words if why else "nothing needs it")


def stand_in(change, at):
    """The position of what the users of a removed value read in its place; or None."""
    swaps = swapped_operands(change.found, change.before)
    return next((new for _, new, old in swaps if old == at), None)
