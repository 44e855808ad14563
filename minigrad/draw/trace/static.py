"""The trace of Nodes: a program in the order, and in the buffers, of its real plan."""

from dataclasses import replace

from minigrad.compiler.pipeline import optimize_program
from minigrad.core.autodiff import differentiable_path, gradients, label, list_floating
from minigrad.core.errors import GradientError
from minigrad.core.spec import Spec
from minigrad.draw.trace.dynamic import (
    refuse_nothing,
    tangent_seeds,
    tangent_steps,
    tell_tangent,
)
from minigrad.draw.trace.inside import loops_in, loops_with_tangents
from minigrad.draw.trace.iterations import body_names
from minigrad.draw.trace.labels import Labels
from minigrad.draw.trace.play import Play
from minigrad.draw.trace.step import read_lanes, trace_step
from minigrad.draw.trace.updates import tell_update
from minigrad.static.graph import Node
from minigrad.static.program import Cutter, Program, check_fed, find_needed
from minigrad.static.session import Session, check_fetches, read_feeds


def trace_nodes(results, feed, wrt, mode, names, session, lanes=True):
    """The Trace of fetching `results`, and of differentiating the first of them.

    Without derivatives the program goes through the session's passes, as in a run. A training step
    is told as it was written, if it is drawn in `lanes`.
    """
    session = session or Session(results[0].graph)
    check_fetches(results, session.graph)
    copy = Copy(results, read_feeds(feed or {}, session.graph), names)
    step, doubt = read_lanes(results, wrt, names) if mode == "reverse" else (None, "")
    doubt = doubt if lanes else doubt or "a part of it is open."
    if step and lanes:
        return trace_step(*step, copy, session)
    found = trace_graph(copy, wrt, mode, session)
    return found._replace(note=f"Played without lanes: {doubt}") if doubt else found


def trace_graph(copy, wrt, mode, session):
    """The Trace of a graph that is drawn as one, without lanes."""
    if wrt is None and mode == "reverse":
        return trace_run(copy, session)
    sweep = Backward(copy) if mode == "reverse" else Onward(copy)
    sweep.build(copy.own(wrt))
    play = Play(sweep.program, Labels(copy.program.roots(), copy.names), copy, session)
    play.forward("forward", sweep.on_path if mode == "reverse" else ())
    sweep.tell(play)
    return play.trace(mode)


def trace_run(copy, session):
    """The Trace of the optimised program."""
    program = copy.program
    if session.options.optimize:
        program, _ = optimize_program(program, session.options)
    play = Play(program, Labels(program.roots(), copy.names), copy, session)
    play.forward("run")
    for variable, node in program.stores:
        told = tell_update(play, variable, node)
        play.draft(len(play.plan.order) - 1, "run", node, told, value=play.summary(node))
    return play.trace("run")


class Backward:
    """The reverse sweep from the first result: first as new nodes, then as events."""

    def __init__(self, copy):
        self.copy, self.y = copy, first_result(copy)

    def build(self, wrt):
        """Adds the nodes of the adjoints to the private graph."""
        xs = own_values(wrt, self.y)
        self.on_path = differentiable_path(xs, [self.y])
        refuse_nothing(self.on_path, self.y)
        x_bars = gradients(self.y, xs, unconnected="none")
        seeds, *self.steps = self.y.graph.ledger.last_sweep(self.y)
        ((_, self.seed, _),) = seeds.contributions
        wanted = [x_bar for x_bar in x_bars if x_bar is not None]
        self.program = with_fetches(self.copy.program, wanted)

    def tell(self, play):
        """The events of the sweep."""
        done = {self.y.order: play.seed(self.y, self.seed, play.position[self.y.order])}
        for step in self.steps:
            play.pass_on(step, self.on_path, done, loops_in(step))


class Onward:
    """The forward sweep to the first result: first as new nodes, then as events."""

    def __init__(self, copy):
        self.copy, self.steps, self.y = copy, [], first_result(copy)

    def build(self, wrt):
        """Adds the nodes of the tangents to the private graph."""
        if wrt is not None:
            own_values(wrt, self.y)
        xs, seeds = tangent_seeds(self.y, wrt)
        path = differentiable_path(xs, [self.y])
        refuse_nothing(path, self.y)
        self.steps = list(tangent_steps(path, seeds))
        _, y_dot, _ = self.steps[-1]
        self.program = with_fetches(self.copy.program, [y_dot])

    def tell(self, play):
        """The events of the sweep."""
        dots, start = {}, play.position[self.y.order]
        for v, v_dot, moved in self.steps:
            for loop in loops_with_tangents(v_dot) if body_names(v) else ():
                start = max(start, play.position.get(loop.order, 0))
                play.iterations(loop, v, start, "tangent")
            start, dots[v.order] = max(start, play.when(v_dot)), play.array(v_dot)
            told = tell_tangent(play.teller, v, moved, dots, play.array(v_dot))
            play.derive(start, "tangent", v, v, told, v_dot)


def first_result(copy):
    """The first result, which is differentiated."""
    y = copy.program.fetches[0]
    if y is None:
        raise GradientError(
            "a statement has no value to differentiate",
            "put the loss first: player([loss, step], wrt=w)",
        )
    return list_floating(y, "y")[0]


def own_values(wrt, y):
    """What is differentiated for, as a list of nodes of y's program."""
    xs = list_floating(list(wrt) if isinstance(wrt, dict) else wrt, "wrt")
    for x in xs:
        if getattr(x, "graph", None) is not y.graph:
            raise GradientError(
                f"{label(y)} is computed without {label(x)}",
                "differentiate with respect to a value that it depends on",
            )
    return xs


def with_fetches(program, nodes):
    """The program that computes these nodes too."""
    return replace(program, fetches=[*program.fetches, *nodes])


class Copy:
    """The Program of the learner's results, and which of its nodes stands for which of theirs."""

    def __init__(self, results, feeds, names):
        specs = {order: Spec(a.shape, a.dtype) for order, a in feeds.items()}
        nodes, cutter = find_needed(results, specs), Cutter(specs)
        check_fed(nodes, specs, results, "mg.player(y, {})")
        for node in nodes:
            cutter.copy(node)
        self.new, self.feeds, self.learners = cutter.new, feeds, results[0].graph
        fetches = [self.new[node.order] for node in results]
        rest = cutter.stores(), cutter.effects, cutter.feeds, cutter.variables
        self.program = Program(cutter.graph, fetches, *rest)
        self.names = {name: self.own(thing) for name, thing in (names or {}).items()}
        for name, node in self.names.items():  # passes keep the names of nodes
            if isinstance(node, Node) and node.graph is cutter.graph and not name.startswith("_"):
                node.name = node.name or name

    def own(self, thing):
        """The copy of a node, also in lists and among the keys of a dict; other things as is."""
        if isinstance(thing, Node):
            new = self.new.get(thing.order) if thing.graph is self.learners else None
            return thing if new is None else new
        if isinstance(thing, dict):
            return {self.own(k): v for k, v in thing.items() if isinstance(k, Node)}
        return [self.own(part) for part in thing] if isinstance(thing, (list, tuple)) else thing
