"""A program that is planned and computed, and the events that it is told by."""

from minigrad.draw.trace.event import Trace
from minigrad.draw.trace.formula import formula_of
from minigrad.draw.trace.labels import Labels, line_of
from minigrad.draw.trace.machine import played
from minigrad.draw.trace.planned import Draft, events_of, lives_of, place
from minigrad.draw.trace.summary import summary
from minigrad.draw.trace.turns import rest
from minigrad.compiler.memory import is_kernel_result
from minigrad.compiler.fuse import Kernel
from minigrad.compiler.schedule import scheduled


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
