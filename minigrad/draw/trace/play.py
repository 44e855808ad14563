"""A program that is planned and computed, and the events that it is told by."""

from bisect import bisect_left
from typing import NamedTuple

from minigrad.draw.trace.event import Event, Life, Trace
from minigrad.draw.trace.formula import formula_of
from minigrad.draw.trace.labels import Labels, line_of
from minigrad.draw.trace.summary import summary
from minigrad.draw.trace.turns import played, rest
from minigrad.compiler.memory import is_kernel_result, nbytes, padded, title
from minigrad.compiler.fuse import Kernel
from minigrad.compiler.schedule import scheduled


class Draft(NamedTuple):
    """An event to be: when the plan's step at `position` is done."""

    position: int
    phase: str
    node: str
    sentence: str
    line: object
    found: dict


def place(plan, node):
    """Whose memory a node's value lies in, as parts of an Event."""
    storage = plan.storage
    where = storage.place[node.order]
    if where == "plan":
        where = f"B{buffer_numbers(plan)[storage.root[node.order]]}"
    return {
        "buffer": "" if where == "outside" else where,
        "in_place": node.order in storage.in_place,
    }


def buffer_numbers(plan):
    """{root: the number of its buffer}."""
    numbers = {(b.offset, b.bytes): b.number for b in plan.buffers}
    sizes = {n.order: padded(nbytes(n)) for n in plan.order if n.order in plan.storage.life}
    return {root: numbers[plan.offsets[root], size] for root, size in sizes.items()}


def events_of(drafts, plan):
    """The Events of drafts, in the plan's order; each with the most bytes held since the last."""
    drafts = sorted(drafts, key=lambda draft: draft.position)
    live, stops = most_between(plan, drafts), sorted({draft.position for draft in drafts})
    return [
        Event(
            step,
            d.phase,
            d.node,
            d.sentence,
            line=d.line,
            live=live[bisect_left(stops, d.position)],
            **d.found,
        )
        for step, d in enumerate(drafts)
    ]


def most_between(plan, drafts):
    """For each position that has drafts: the most bytes of the plan alive since the one before."""
    alive = alive_bytes(plan)
    stops = sorted({draft.position for draft in drafts})
    starts = [0, *(stop + 1 for stop in stops)]
    ends = [*(stop + 1 for stop in stops[:-1]), len(alive)]
    return [max(alive[start:end], default=0) for start, end in zip(starts, ends)]


def alive_bytes(plan):
    """The bytes of all buffers in use at each step of the plan."""
    change = [0] * (len(plan.order) + 2)
    for buffer in plan.buffers:
        for life in buffer.lives:
            change[life.first] += buffer.bytes
            change[life.last + 1] -= buffer.bytes
    alive, now = [], 0
    for difference in change[:-1]:
        now += difference
        alive.append(now)
    return alive


def lives_of(drafts, plan, names):
    """The Lives of the plan's buffers, in steps of the events; `names` maps order → (name, kind).

    Several values in one life overwrite each other in place.
    """
    positions = sorted(draft.position for draft in drafts)
    stops, numbers = sorted(set(positions)), buffer_numbers(plan)
    members = {}
    for node in plan.order:
        if plan.storage.place[node.order] == "plan":
            members.setdefault(plan.storage.root[node.order], []).append(node)
    lives = []
    for root, (first, last) in plan.storage.life.items():
        called = [names.get(n.order, (title(n), "value")) for n in members[root]]
        lives.append(
            Life(
                ", ".join(dict.fromkeys(name for name, _ in called)),
                called[0][1],
                padded(nbytes(members[root][0])),
                bisect_left(positions, stop(stops, first)),
                bisect_left(positions, stop(stops, last) + 1) - 1,
                f"B{numbers[root]}",
            )
        )
    return tuple(sorted(lives, key=lambda life: (life.first, life.last, life.name)))


def stop(stops, position):
    """The first position with a draft at or after this one, else the last."""
    return stops[min(bisect_left(stops, position), len(stops) - 1)]


class Play:
    """A program, planned and computed; the drafts of its events; `shown` are the values drawn."""

    def __init__(self, program, shown, copy, session):
        self.labels, self.drafts, self.rules = Labels(shown, copy.names), [], {}
        self.plan = scheduled(program, {n.order for n in program.roots()})
        self.position = {n.order: step for step, n in enumerate(self.plan.order)}
        self.values = played(program, self.plan, copy.feeds, session)
        self.names = {v.order: (self.labels.name(v), "value") for v in self.labels.graph.values}

    def draft(self, position, phase, v, sentence, by=None, **found):
        """One event to be; its line is that of v, or of the value whose rule it is done `by`."""
        line = line_of(v if by is None else by)
        self.drafts.append(Draft(position, phase, self.labels.id(v), sentence, line, found))

    def summary(self, derivative):
        """The Summary of a node's value, or of the parts of a bundle's derivative."""
        if isinstance(derivative, dict):
            return summary(tuple(self.values.arrays[n.order] for n in derivative.values()))
        return summary(self.values.arrays[derivative.order])

    def when(self, derivative):
        """The step of the plan at which a derivative is there."""
        nodes = derivative.values() if isinstance(derivative, dict) else [derivative]
        return max((self.position.get(node.order, 0) for node in nodes), default=0)

    def forward(self, phase):
        """The values of the drawing."""
        for v in self.labels.graph.values:
            name, at = self.labels.name(v), self.position[v.order]
            found = {"value": self.summary(v), **place(self.plan, v)}
            if v.inputs:
                self.turns(v, v, at, phase)
                self.draft(at, phase, v, f"{name} = {self.formula(v)}", **found)
            elif self.labels.role(v) != "constant":
                self.draft(at, phase, v, f"{name} is {given(v)}", **found)

    def formula(self, v):
        """How a value is computed."""
        if v.op is Kernel:
            return f"one kernel: {v.params['body']}"
        if is_kernel_result(v):
            return f"a result of {self.labels.name(v.inputs[0])}"
        return formula_of(v, self.labels.name)

    def turns(self, loop, shown, at, phase):
        """The turns of a loop, as events of the value that is `shown` for it."""
        inner, turns = self.values.inner.get(loop.order, ((), 0))
        kind = "value" if phase in ("forward", "run") else "derivative"
        for step in inner:
            made = step.node if kind == "value" else shown  # the learner wrote no line of a rule
            self.draft(
                at, phase, shown, step.sentence, made, turn=step.turn, **{kind: summary(step.value)}
            )
        if left := rest(inner, turns):
            self.draft(at, phase, shown, left, turn=turns)

    def trace(self, mode):
        """The Trace of all drafts."""
        graph, names = self.labels.graph, tuple(self.labels.texts)
        results = tuple(graph.values[at] for at in graph.results)
        lives = lives_of(self.drafts, self.plan, self.names)
        return Trace(
            mode,
            tuple(events_of(self.drafts, self.plan)),
            lives,
            results,
            names,
            tuple(graph.values),
            self.rules,
            self.labels.known,
            self.plan,
        )


def given(v):
    """Where a leaf's value comes from."""
    return {"input": "fed", "variable": "read from the session"}.get(v.role, "given")


def nodes_of(derivative):
    """The nodes of a derivative: itself, or the parts of a bundle's."""
    return list(derivative.values()) if isinstance(derivative, dict) else [derivative]


def memory_of(plan, derivative):
    """Whose memory a derivative lies in; nothing is said of bundles."""
    nodes = nodes_of(derivative)
    known = len(nodes) == 1 and nodes[0].order in plan.storage.place
    return place(plan, nodes[0]) if known else {}
