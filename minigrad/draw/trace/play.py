"""A program that is planned and computed, and the events that narrate it."""

from collections import defaultdict
from functools import cached_property
from operator import itemgetter

from minigrad.compiler.fuse import Kernel
from minigrad.compiler.schedule import schedule_program
from minigrad.draw.modes.plan import alive_bytes, buffer_numbers
from minigrad.draw.trace.event import Event
from minigrad.draw.trace.inside import derived_roles, own_roles
from minigrad.draw.trace.iterations import count_iterations, play_program
from minigrad.draw.trace.labels import line_of
from minigrad.draw.trace.narration import LoopView, Narrator
from minigrad.draw.trace.sentences import verb_of
from minigrad.draw.trace.summary import summary
from minigrad.draw.trace.telling import Teller, tell_sums
from minigrad.draw.trace.updates import find_adjoints

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


class Play:
    """A program, planned and computed; the drafts of its events; `shown` are the values that are
    told one after the other, by default all that have Labels; `schedule` makes its Plan."""

    def __init__(self, program, labels, copy, session, shown=None, schedule=schedule_program):
        self.labels, self.drafts = labels, []
        self.shown = labels.graph.values if shown is None else shown
        self.plan = schedule(program, {n.order for n in program.roots()})
        self.numbers = buffer_numbers(self.plan)
        self.position = {n.order: step for step, n in enumerate(self.plan.order)}
        self.values = play_program(program, self.plan, copy.feeds, session)
        self.teller = Teller(self.labels, self.array)
        self.places, self.inner = self.labels.inner_ids(), self.labels.inner
        self.first_texts = defaultdict(dict)  # (id of a loop, iterations) → {id: text seen there}
        # derivatives by id; what the next event tells again
        self.texts, self.repeated_texts = {}, ()

    def draft(self, position, phase, v, told, by=None, **found):
        """One event to be; its line is that of v, or of the value whose rule it is done `by`."""
        line = line_of(v if by is None else by)
        found["also"], self.repeated_texts = (*self.repeated_texts, *found.get("also", ())), ()
        event = Event(0, phase, self.labels.id(v), line=line, **told._asdict(), **found)
        self.drafts.append((position, event))

    def derive(self, position, phase, v, by, told, made, **more):
        """The event of v's derivative, the nodes `made`."""
        result = self.summary(made)
        found = {"derivative": result, **self.memory(made), **more}
        self.draft(position, phase, v, told, by, **found)
        self.texts[self.labels.id(v)] = result.text

    def seed(self, y, seed, start):
        """The event with which the backward pass begins, from `start` on; returns its place."""
        at, told = max(start, self.when(seed)), self.teller.seed(y, self.array(seed))
        self.draft(at, "backward", y, told, derivative=self.summary(seed))
        return at

    def pass_on(self, step, path, done, loops):
        """The events of a SweepStep of the program, and before them those in `loops`, which are of
        its derivative; `done` has by order of a value when its adjoint so far was there."""
        z, passed = step.value, step.contributions
        for loop in loops:
            at = max(done[z.order], self.position.get(loop.order, 0))
            self.iterations(loop, z, at, "backward")
        pairs = [(x, self.array(share)) for x, share, _ in passed]
        found = self.teller.contributions(z, self.array(step.derivative), path, pairs)
        for (x, _, total), one in zip(passed, found):
            at = done[x.order] = max(done[z.order], done.get(x.order, 0), self.when(total))
            more = {"edge": (one.user, one.operand), "contribution": one}
            self.derive(at, "backward", x, z, one.alone, total, **more)

    def array(self, derivative):
        """The array of a node, or a tuple of those that are there of a bundle's derivative."""
        known = self.values.arrays
        arrays = tuple(known[n.order] for n in nodes_of(derivative) if n.order in known)
        return arrays if isinstance(derivative, dict) else arrays[0] if arrays else None

    def summary(self, derivative):
        """The Summary of a node's value, or of the needed parts of a bundle's derivative."""
        return summary(self.array(derivative))

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

    def forward(self, phase, on_path=()):
        """The values of the drawing; `on_path` are those that have an adjoint."""
        for v in self.shown:
            self.tell(self.position[v.order], phase, v, on_path)

    def tell(self, at, phase, v, on_path=()):
        """One value, and before it the iterations of a loop."""
        found = {"value": self.summary(v), **self.memory(v)}
        if v.inputs:
            self.iterations(v, v, at, phase)
            found["reuse"] = self.say_reuse(v) if found.get("in_place") else ""
            self.draft(at, phase, v, self.tell_value(v, on_path), **found)
        elif self.labels.role(v) != "constant":
            self.draft(at, phase, v, self.teller.leaf_value(v, v.op.says), **found)

    def say_reuse(self, v):
        """Why a value may be written over one of its operands."""
        base, values = self.plan.values[v.order].base, self.plan.values
        under = [x for x in v.inputs if x.order in values and values[x.order].base == base]
        if not under:
            return ""
        name, buffer = self.labels.name(under[0]), f"B{self.numbers[base]}"
        verb = verb_of(v.op)
        return f"{name} is not read again, so {verb} writes its result over it, in buffer {buffer}"

    @cached_property
    def adjoint_names(self):
        """{order of a node of the program: the name of the value whose adjoint it is}."""
        return find_adjoints(self.plan.order)

    def tell_value(self, v, on_path):
        """What is told of a value that is computed."""
        wanted = [v.order in on_path and x.order in on_path for x in v.inputs]
        log, more = self.values.logs.get(v.order), {}
        if v.order in self.adjoint_names:
            more["about"] = f"the adjoint of {self.adjoint_names[v.order]}"
        if log is not None:
            more |= {"iterations": count_iterations(log), "first": self.array(v.inputs[0])}
        if v.op is Kernel:
            more |= kernel_words(v.params["body"])
        return self.teller.value(v, self.array(v), self.teller.why_saved(v, wanted), **more)

    def iterations(self, loop, shown, at, phase):
        """The iterations of a loop, as events of the value that is `shown` for it."""
        log = self.values.logs.get(loop.order)
        if log is None:
            return
        bodies = own_roles(loop) if loop is shown else derived_roles(shown, loop)

        def draft(step, told, found):
            made = step and step.node if loop is shown else None  # nobody wrote a line of a rule
            self.draft(at, phase, shown, told, made, **found)

        id = self.labels.id(shown)
        Narrator(draft).narrate(LoopView(self, shown, id, bodies, KINDS.get(phase)), log)
        if id in self.texts:  # its adjoint, over which the iterations were written
            self.repeated_texts = ((id, self.texts[id], True),)

    def trace(self, mode):
        """The Trace of all drafts."""
        graph = self.labels.graph
        events = tell_sums(events_of(self.drafts, self.plan))
        results = [graph.values[at] for at in graph.results]
        return self.labels.trace(mode, events, results)


def kernel_words(body):
    """How many operations a kernel computes, and how many arrays need not be written."""
    between = len(body.steps) - len(body.results)
    arrays = (
        "the array between them is" if between == 1 else f"the {between} arrays between them are"
    )
    spared = f", so {arrays} never written" if between else ""
    return {"steps": f"{len(body.steps)} operations", "between": spared}
