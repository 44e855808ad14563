"""A program that is planned and computed, and the events that narrate it."""

from bisect import bisect_left
from collections import defaultdict
from operator import itemgetter

from minigrad.compiler.fuse import Kernel
from minigrad.compiler.kernel import KernelResult
from minigrad.compiler.memory import name_in_plan, nbytes, pad_size
from minigrad.compiler.schedule import schedule_program
from minigrad.draw.modes.plan import alive_bytes, buffer_numbers
from minigrad.draw.trace.event import ArrayLife, Event
from minigrad.draw.trace.formula import formula_of
from minigrad.draw.trace.inside import derived_roles, own_roles
from minigrad.draw.trace.iterations import play_program
from minigrad.draw.trace.labels import Labels, line_of
from minigrad.draw.trace.narration import LoopView, Narrator
from minigrad.draw.trace.summary import summary

KINDS = {"backward": "adjoint", "tangent": "tangent"}


def nodes_of(derivative):
    """The nodes of a derivative: itself, or the parts of a bundle's."""
    return list(derivative.values()) if isinstance(derivative, dict) else [derivative]


def events_of(drafts, plan):
    """The Events of drafts, in the plan's order; each with the most bytes held since the last."""
    drafts = sorted(drafts, key=itemgetter(0))
    stops = sorted({position for position, _ in drafts})
    live = dict(zip(stops, most_between(plan, stops)))
    numbered = enumerate(drafts)
    return [event._replace(step=step, live=live[at]) for step, (at, event) in numbered]


def most_between(plan, stops):
    """For each of the positions: the most bytes of the plan alive since the one before."""
    alive = alive_bytes(plan.buffers, len(plan.order) + 1)
    starts = [0, *(stop + 1 for stop in stops)]
    ends = [*starts[1:-1], len(alive)]
    return [max(alive[start:end], default=0) for start, end in zip(starts, ends)]


def lives_of(drafts, plan, numbers, names):
    """The lives of the plan's buffers, in steps of the events; `names`: order → (name, kind).

    Several values in one life overwrite each other in place.
    """
    positions = sorted(position for position, _ in drafts)
    stops = sorted(set(positions))
    members = {}
    for node in plan.order:
        value = plan.values[node.order]
        if value.space == "plan":
            members.setdefault(value.base, []).append(node)
    lives = []
    for root in members:
        first, last = plan.values[root].live_range
        called = [names.get(n.order, (name_in_plan(n), "value")) for n in members[root]]
        name = ", ".join(dict.fromkeys(name for name, _ in called))
        start = bisect_left(positions, next_stop(stops, first))
        end = bisect_left(positions, next_stop(stops, last) + 1) - 1
        size, buffer = pad_size(nbytes(members[root][0])), f"B{numbers[root]}"
        lives.append(ArrayLife(name, called[0][1], size, start, end, buffer))
    return tuple(sorted(lives, key=lambda life: (life.first, life.last, life.name)))


def next_stop(stops, position):
    """The first position with a draft at or after this one, else the last."""
    return stops[min(bisect_left(stops, position), len(stops) - 1)]


class Play:
    """A program, planned and computed; the drafts of its events; `shown` are the values drawn."""

    def __init__(self, program, shown, copy, session):
        self.labels, self.drafts, self.rules = Labels(shown, copy.names), [], {}
        self.plan = schedule_program(program, {n.order for n in program.roots()})
        self.numbers = buffer_numbers(self.plan)
        self.position = {n.order: step for step, n in enumerate(self.plan.order)}
        self.values = play_program(program, self.plan, copy.feeds, session)
        self.places, self.inner = self.labels.inner_ids(), self.labels.inner
        self.names = {v.order: (self.labels.name(v), "value") for v in self.labels.graph.values}
        self.first_texts = defaultdict(dict)  # (id of a loop, iterations) → {id: text seen there}
        # derivatives by id; what the next event tells again
        self.texts, self.repeated_texts = {}, ()

    def draft(self, position, phase, v, sentence, by=None, **found):
        """One event to be; its line is that of v, or of the value whose rule it is done `by`."""
        line = line_of(v if by is None else by)
        found["also"], self.repeated_texts = (*self.repeated_texts, *found.get("also", ())), ()
        event = Event(0, phase, self.labels.id(v), sentence, line, **found)
        self.drafts.append((position, event))

    def derive(self, position, phase, v, by, name, text, made, also=None, **more):
        """The event of v's derivative, called `name`: the nodes `made`, and `also` the share."""
        sentence = f"{name} {text}"
        self.rules.setdefault(self.labels.id(by), []).append(sentence)
        for node in nodes_of(made) + nodes_of(made if also is None else also):
            self.names.setdefault(node.order, (name, KINDS[phase]))
        told = self.summary(made)
        found = {"derivative": told, **self.memory(made), **more}
        self.draft(position, phase, v, sentence, by, **found)
        self.texts[self.labels.id(v)] = told.text

    def summary(self, derivative):
        """The Summary of a node's value, or of the needed parts of a bundle's derivative."""
        known = self.values.arrays
        arrays = tuple(known[n.order] for n in nodes_of(derivative) if n.order in known)
        return summary(arrays if isinstance(derivative, dict) else arrays[0])

    def memory(self, derivative):
        """Whose memory a value or a derivative lies in, as parts of an Event; none of bundles."""
        nodes = nodes_of(derivative)
        value = self.plan.values.get(nodes[0].order) if len(nodes) == 1 else None
        if value is None:
            return {}
        where = f"B{self.numbers[value.base]}" if value.space == "plan" else value.space
        buffer = "" if where == "outside" else where
        return {"buffer": buffer, "in_place": value.in_place}

    def when(self, derivative):
        """The step of the plan at which a derivative is there."""
        return max((self.position.get(n.order, 0) for n in nodes_of(derivative)), default=0)

    def forward(self, phase):
        """The values of the drawing."""
        for v in self.labels.graph.values:
            name, at = self.labels.name(v), self.position[v.order]
            found = {"value": self.summary(v), **self.memory(v)}
            if v.inputs:
                self.iterations(v, v, at, phase)
                self.draft(at, phase, v, f"{name} = {self.formula(v)}", **found)
            elif self.labels.role(v) != "constant":
                self.draft(at, phase, v, f"{name} is {given_words(v)}", **found)

    def formula(self, v):
        """How a value is computed."""
        if v.op is Kernel:
            return f"one kernel: {v.params['body']}"
        if v.op is KernelResult:
            return f"a result of {self.labels.name(v.inputs[0])}"
        return formula_of(v, self.labels.name)

    def iterations(self, loop, shown, at, phase):
        """The iterations of a loop, as events of the value that is `shown` for it."""
        log = self.values.logs.get(loop.order)
        if log is None:
            return
        bodies = own_roles(loop) if loop is shown else derived_roles(shown, loop)

        def draft(step, sentence, found):
            made = step and step.node if loop is shown else None  # nobody wrote a line of a rule
            self.draft(at, phase, shown, sentence, made, **found)

        id = self.labels.id(shown)
        Narrator(draft).narrate(LoopView(self, shown, id, bodies, KINDS.get(phase)), log)
        if id in self.texts:  # its adjoint, over which the iterations were written
            self.repeated_texts = ((id, self.texts[id], True),)

    def trace(self, mode):
        """The Trace of all drafts."""
        graph, events = self.labels.graph, events_of(self.drafts, self.plan)
        results = [graph.values[at] for at in graph.results]
        lives = lives_of(self.drafts, self.plan, self.numbers, self.names)
        return self.labels.trace(mode, events, lives, results, self.rules, self.plan)


def given_words(v):
    """Where a leaf's value comes from."""
    return {"input": "fed", "variable": "read from the session"}.get(v.role, "given")
