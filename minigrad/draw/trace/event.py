"""A Trace: what happens, step by step, when values and their derivatives are computed."""

from typing import NamedTuple

from minigrad.core.errors import Line
from minigrad.draw.paint.listing import align_columns
from minigrad.draw.read import peek
from minigrad.draw.trace.summary import Summary
from minigrad.draw.trace.telling import Contribution, tell_sums
from minigrad.draw.trace.tokens import tokens_text


class Event(NamedTuple):
    """One step: a value, a contribution to an adjoint, or a tangent is computed.

    `step` is the place among the events, from 0. `node` is the id that a drawing of the trace's
    results gives to the value, as "n3"; `edge` the pair of ids (user, operand) along which a
    contribution goes. `derivative` is the adjoint so far, or the tangent. `live` counts bytes
    as Memory and the plan do. `formula` and `substitution`, the same with numbers, are Tokens; the
    numbers are those of one `element` where values are arrays.
    """

    step: int
    phase: str  # "forward" | "backward" | "tangent" | "update" | "run"
    node: str
    sentence: str
    line: Line | None = None
    live: int = 0
    value: Summary | None = None
    derivative: Summary | None = None
    edge: tuple | None = None
    buffer: str = ""  # of a planned value: "B3", or "result" or "number" where the plan owns none
    in_place: bool = False
    turn: int = 0  # of the loop that `node` is, counted from 1
    inner: str = ""  # the id of what is computed, where `node` is opened
    also: tuple = ()  # (id, text, is a derivative) of what else is known there from this step on
    formula: tuple = ()
    substitution: tuple = ()
    element: str = ""  # "[0, 1]"
    spoken: tuple = ()  # the sentence as Tokens, where its numbers follow from the inputs
    contribution: Contribution | None = None  # what goes along the edge
    renews: bool = False  # whether it replaces the value of a variable, which `node` is
    reuse: str = ""  # a sentence about the buffer of an operand that is written over

    @property
    def result(self):
        """What the step gives, as text: the derivative where there is one, else the value."""
        found = self.derivative or self.value
        return found.text if found else ""

    def row(self):
        """Number (from 1), phase, sentence, formula, result, live bytes."""
        what = self.sentence, tokens_text(self.formula), self.result
        return [f"{self.step + 1}", self.phase, *what, f"{self.live:,} B"]


class Trace(NamedTuple):
    """All events, in order.

    `results` are the values to draw: for a static graph those of a private copy, so that ids fit.
    """

    mode: str  # "reverse" | "forward" | "run"
    events: tuple
    results: tuple
    names: tuple  # by position: node "n3" is called names[3]
    values: tuple  # by position: the values themselves
    learner_names: dict  # the learner's names, as `draw` takes them
    inner: dict = {}  # by id: the values that stand in opened bodies
    lanes: object = None  # the step.Lanes of a training step that is drawn in them
    note: str = ""  # why a training step is not

    @property
    def derivative(self):
        """What the derivatives of this mode are called."""
        return {"reverse": "adjoint", "forward": "tangent"}.get(self.mode, "")

    @property
    def peak(self):
        """The most bytes alive at one step."""
        return max((event.live for event in self.events), default=0)

    def without_buffers(self):
        """The Trace, in which no event tells where a value lies."""
        events = (event._replace(buffer="", in_place=False, reuse="") for event in self.events)
        return self._replace(events=tuple(events))

    def __str__(self):
        return "\n".join(align_columns(self.rows()))

    def rows(self):
        """The steps as a table: a head, and the row of each event."""
        head = ["step", "phase", "what", "formula", "result", "live"]
        return [head, *map(Event.row, self.events)]


class Memory:
    """Arrays that are held; `live` is the sum of their bytes now.

    A view holds the array that it looks into. What `outside` looks into is the learner's own and
    is not counted.
    """

    def __init__(self, outside=()):
        self.outside = {id(base(array)): array for array in outside}
        self.references, self.live = {}, 0

    def hold(self, array):
        """One reference more."""
        root = base(array)
        if id(root) in self.outside:
            return
        if id(root) in self.references:
            self.references[id(root)][0] += 1
        else:  # the array itself is kept, so that no other one gets its id
            self.references[id(root)] = [1, root]
            self.live += root.nbytes

    def release(self, *arrays):
        """One reference less to each; after the last one an array is gone."""
        for array in arrays:
            entry = self.references.get(id(base(array)))
            if entry is None:
                continue
            entry[0] -= 1
            if not entry[0]:
                del self.references[id(entry[1])]
                self.live -= entry[1].nbytes


class TraceRecord:
    """The events so far, with the arrays that are held by now.

    What `outside` looks into is not counted.
    """

    def __init__(self, labels, outside=()):
        self.labels, self.events = labels, []
        self.memory = Memory(outside)

    def add(self, phase, v, told, by=None, **more):
        """One event; its line is that of v, or of the value whose rule it is done `by`."""
        id, line = self.labels.id(v), peek(v if by is None else by, "line")
        place = {"line": line, "live": self.memory.live}
        self.events.append(Event(len(self.events), phase, id, **place, **told._asdict(), **more))

    def trace(self, mode, results):
        """The Trace of all events."""
        return self.labels.trace(mode, tell_sums(self.events), results)


def base(array):
    """The array whose memory an array looks into."""
    while getattr(array, "base", None) is not None and hasattr(array.base, "nbytes"):
        array = array.base
    return array
