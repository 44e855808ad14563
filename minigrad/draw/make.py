"""From a learner's values to a scene: outline, fold, forward nodes, adjoints, notes."""

from collections.abc import ItemsView
from dataclasses import dataclass, replace
from functools import cache, cached_property
from numbers import Integral
from typing import Any

from minigrad.core.errors import ArgumentError
from minigrad.draw.drawing import Drawing, PictureRow
from minigrad.draw.explore import explore
from minigrad.draw.modes import DERIVED, DOUBLED, MODES, Basis
from minigrad.draw.modes.notes import draw_call, empty_scene
from minigrad.draw.modes.passes import pass_scenes
from minigrad.draw.modes.primal import SHOWABLE, SHOWN, Primal, with_stubs
from minigrad.draw.modes.rows import pass_rows, running_row
from minigrad.draw.modes.step import add_numbers, read_step, step_scene
from minigrad.draw.modes.strips import known_loops
from minigrad.draw.modes.timetable import read_timetable
from minigrad.draw.modes.workers import read_sharing, sharing_scene
from minigrad.draw.paint.rows import sheet_of_rows
from minigrad.draw.paint.slider import PassPicture, Slider
from minigrad.draw.read import Told, clean, number_text, peek, value_text
from minigrad.draw.read.bodies import kernel_of, loop_of
from minigrad.draw.read.fold import fold_outline
from minigrad.draw.read.options import check_handles, check_names, list_handles, list_wrt
from minigrad.draw.read.outline import NodeId, outline
from minigrad.draw.read.returned import known_adjoints, take_back
from minigrad.draw.read.roles import learners_value
from minigrad.draw.read.source import subject_of
from minigrad.draw.read.tangents import read_tangents
from minigrad.draw.trace.history import loop_history

NUMBERED = 2  # nodes for each that is drawn, at most, where the others are numbers in signs


def draw_options(options):
    """The Drawing that a DrawOptions asks for, as `draw` was given them."""
    options = options.normalise()
    options.check()
    reading = Reading(options)
    options = replace(options, wrt=list_wrt(options.wrt, reading.subject.arguments, "draw"))
    reading.check_handles((*options.expand, *options.collapse))
    step, doubt = read_step(reading.whole) if options.asks_for_lanes() else (None, "")
    if step:
        place = Places(reading.whole)
        numbers = place.by_place(reading.numbers) | place.numbers(options.values)
        return Drawing(step_scene(add_numbers(step, numbers, loop_history), options.title))
    if options.mode == "workers" and options.is_whole():
        numbers = Places(reading.whole).numbers(options.placed)
        sharing, doubt = read_sharing(reading.whole, numbers)
        if sharing:
            return Drawing(sharing_scene(sharing, numbers, options))
    if options.is_free and options.is_plain() and reading.tangent_pass:
        options = replace(options, mode="tangent")
    if options.mode == "step":
        options = replace(options, mode="forward")
        doubt = doubt or "nothing here was differentiated"
    drawing = make_drawing(options, reading)
    return drawing.with_note(f"Drawn without lanes: {doubt}") if doubt else drawing


def make_drawing(options, reading):
    """The Drawing of what was read; it knows those with other things opened and closed."""

    def make(opened, closed):
        return Drawing(make_scene(options.reopen(opened, closed), reading))

    def call(opened, closed):
        return draw_call(options.reopen(opened, closed))

    return Drawing(make_scene(options, reading), views=lambda first: explore(first, make, call))


def draw_passes(executable, title, budget, expand, collapse, runs, rows):
    """The picture, or the slider, that `draw.passes` returns."""
    expand = list_handles(expand, "expand", "draw.passes")
    collapse = list_handles(collapse, "collapse", "draw.passes")
    title = clean(title, 120) or "What each pass changed"
    scenes = pass_scenes(executable, budget, expand, collapse, runs=runs)
    titles = {scene.title for scene in scenes}

    @cache
    def row(opened, closed):
        return PictureRow(pass_scenes(executable, budget, opened, closed, titles, runs))

    def views(at):
        def make(opened, closed):
            more = tuple(one for one in (*expand, *opened) if one not in closed)
            less = tuple(one for one in (*collapse, *closed) if one not in opened)
            return row(more, less).drawings()[at]

        return lambda first: explore(first, make, lambda *sides: "")

    shown = PictureRow(scenes).drawings(views)
    asked = expand or collapse or not rows
    sheet = None if asked else sheet_of_passes(executable, title, budget, runs)
    return PassPicture(sheet, shown) if sheet else Slider(title, shown)


def sheet_of_passes(executable, title, budget, runs):
    """The RowSheet of the passes over a program, where it is small enough; else None."""
    if executable.report[0].after > NUMBERED * budget:
        return None
    graphs = list(pass_rows(executable))
    marks = sum(len({mark.id for row in rows for mark in row.marks}) for rows in graphs)
    last = (running_row(executable),) if runs else ()
    return sheet_of_rows(title, graphs, last) if marks <= budget else None


def singular(word):
    """A word of `show` without the plural's s."""
    word = str(word)
    return word[:-1] if word[-1:] == "s" and word[:-1] in SHOWABLE else word


@dataclass(frozen=True, eq=False)
class DrawOptions:
    """The arguments of one call of `draw`, by its names; it says what they mean."""

    results: Any
    mode: str | None
    show: Any
    names: Any
    title: str
    values: Any
    adjoints: Any
    tangents: Any
    wrt: Any
    saved: bool | None
    expand: Any
    collapse: Any
    depth: int | None
    budget: int
    feed: Any
    around: Any
    placed: Any
    profile: Any
    is_free: bool = False  # whether the mode was left to us, and nothing but the graph is known

    def normalise(self):
        """The same, each in the one form that the rest of this package reads."""
        show = SHOWN if self.show is None else list_handles(self.show, "show", "draw")
        given = self.results, self.names, self.wrt, self.around
        results, names, wrt, around = take_back(*given)
        derived = self.mode is None or self.mode in DERIVED
        adjoints = known_adjoints(results) if derived and self.adjoints is None else self.adjoints
        return replace(
            self,
            results=results,
            adjoints=adjoints,
            mode=self.mode or self.fitting_mode(adjoints),
            is_free=self.mode is None and self.fitting_mode(adjoints) == "forward",
            show=tuple(map(singular, show)),
            names=names,
            title=clean(self.title or "", 120),
            wrt=wrt,
            expand=list_handles(self.expand, "expand", "draw"),
            collapse=list_handles(self.collapse, "collapse", "draw"),
            around=around,
        )

    def fitting_mode(self, adjoints):
        """The mode that shows the most of what is known."""
        if self.profile is not None:
            return "profile"
        derived = {"tangent": self.tangents, "split": adjoints}
        return next((mode for mode, known in derived.items() if known is not None), "forward")

    def check(self):
        """Refuse options outside their domain."""
        if self.mode not in (*MODES, "step"):
            known = ", ".join((*MODES, "step"))
            raise ArgumentError(f"draw: {self.mode!r} is not a mode", f"use one of {known}")
        if unknown := [word for word in self.show if word not in SHOWABLE]:
            raise ArgumentError(
                f"draw: show={unknown[0]!r} is unknown", f"use {', '.join(SHOWABLE)}"
            )
        if not self.results:
            raise ArgumentError("draw: there is nothing to draw", "pass a value: draw(y)")
        check_names(self.names, "draw")
        if self.budget < 1:
            raise ArgumentError(f"draw: budget={self.budget} is below 1", "draw(y, budget=60)")
        if self.depth is not None and self.depth < 0:
            raise ArgumentError(f"draw: depth={self.depth} is below 0", "draw(y, depth=4)")
        check_workers(self.placed)

    def reopen(self, opened, closed):
        """The same with other things opened and closed."""
        expand = [one for one in dict.fromkeys((*self.expand, *opened)) if one not in closed]
        collapse = [one for one in dict.fromkeys((*self.collapse, *closed)) if one not in opened]
        return replace(self, expand=tuple(expand), collapse=tuple(collapse))

    def asks_for_lanes(self):
        """Whether a training step is drawn in lanes: where it is asked for, or nothing else is."""
        return self.mode == "step" or self.is_free and self.is_plain()

    def is_plain(self):
        """Whether nothing is asked for that only a graph of nodes can show."""
        others = self.around, self.depth, self.wrt
        plain = self.show == SHOWN and not self.expand and not self.collapse
        return plain and all(one is None for one in others)

    def writes_conditions(self):
        """Whether short conditions are written: not where numbers are given of what is in them."""
        return not any(isinstance(one, NodeId) for one, *_ in as_pairs(self.values))

    def is_whole(self):
        """Whether all of the graph is drawn, with nothing opened or closed."""
        return not self.expand and not self.collapse and self.around is None and self.depth is None

    def opens(self):
        """A test of (id, value): is its body opened? None where no body is.

        All are in mode "loop", else those whose ids are in `expand`; of a plan, also the fused
        kernels; none whose ids are in `collapse`.
        """
        if self.mode not in ("loop", "plan") and not self.expand:
            return None

        def is_open(id, value):
            known = self.mode == "loop" or self.mode == "plan" and kernel_of(value) is not None
            return (known or id in self.expand) and id not in self.collapse

        return is_open


def check_workers(placed):
    """Raises ArgumentError where a value is placed on what is not the number of a worker."""
    given = [worker for _, worker, *_ in as_pairs(placed)]
    odd = [worker for worker in given if not isinstance(worker, Integral) or worker < 0]
    if odd:
        message = f"draw: placed has {clean(repr(odd[0]), 40)}, which is not the number of a worker"
        raise ArgumentError(message, "count workers from 0: placed={h: 0, y: 1}")


class Reading:
    """What `draw` was given, read once: of what changes later, no picture tells."""

    def __init__(self, options):
        found = self.subject = subject_of(options.results, options.mode, options.feed)
        self.names = {**found.arguments, **dict(options.names or {})}
        self.whole = self.outline()
        values = self.whole.values
        self.has_bodies = any(loop_of(v) or kernel_of(v) for v in values)
        self.numbers = {id(v): Told(value_text(v)) for v in values}
        derived = options.mode in DERIVED
        grads = ((v, peek(v, "grad")) for v in values if derived)
        self.grads = {id(v): Told(number_text(grad)) for v, grad in grads}
        place = Places(self.whole)
        given = place.numbers(found.numbers) | place.numbers(options.values)
        self.loop_numbers = given, place.numbers(options.adjoints)

    def outline(self, is_open=None, lines=False):
        """The graph, with the bodies that are open; with `lines` short conditions are left out."""
        arguments = self.subject.arguments.values()
        return outline(self.subject.values, self.names, is_open, arguments, lines=lines)

    def check_handles(self, asked):
        """Raises ArgumentError where something is to be opened or closed that is not there."""
        if asked:
            bodies = self.outline(lambda id, value: True) if self.has_bodies else self.whole
            check_handles(asked, {*self.whole.ids, *bodies.ids}, bodies, "draw")

    @cached_property
    def loops(self):
        """{id of a loop: its KnownLoop}, where all is given that it takes."""
        return known_loops(self.whole, *self.loop_numbers, loop_history) if self.has_bodies else {}

    @cached_property
    def tangent_pass(self):
        """The TangentPass of the whole graph, or None."""
        return read_tangents(self.whole)

    def tangents(self, options, graph):
        """The TangentPass of a graph that computes tangents, where they are asked for and not
        given; else None."""
        given = options.tangents, options.wrt
        if options.mode != "tangent" or any(one is not None for one in given):
            return None
        return self.tangent_pass if graph is self.whole else read_tangents(graph)

    def graph(self, options):
        """The graph as it is asked for. What holds bodies never changes."""
        is_open = options.opens() if self.has_bodies else None
        return self.whole if is_open is None else self.outline(is_open, options.writes_conditions())


def make_scene(options, reading):
    """The scene of what was read, as its options want it."""
    graph = reading.graph(options)
    ledger = reading.tangents(options, graph)
    numbers = Places(graph).numbers(options.values)
    graph = ledger.graph if ledger else graph
    place = Places(graph)
    limit = options.budget // 2 if options.mode in DOUBLED else options.budget
    centres = place.centres(options.around)
    folding = fold_outline(graph, limit, options.expand, options.depth, centres, options.collapse)
    scene = empty_scene(options.mode, options.title, graph, folding, limit, options)
    known = [one for loop in reading.loops.values() for one in loop.numbers(graph)]
    inner = {one.at: one.number for one in known if one.number is not None}
    bars = {one.at: one.bar for one in known if one.bar is not None}
    if ledger:
        single = {at: parts[0] for at, parts in ledger.tangents.items() if not parts[1:]}
        bars = {at: numbers[part] for at, part in single.items() if part in numbers}
    values = place.by_place(reading.numbers) | inner | place.numbers(options.values)
    grads = place.numbers(options.adjoints)
    derived = options.mode in DERIVED
    primal = Primal(graph, folding, options.show, values, derived, grads, reading.loops)
    scene = primal.fill(scene)._replace(results=shown_results(graph, primal))
    scene = with_stubs(scene, graph, primal) if centres else scene
    basis = Basis(
        graph,
        primal,
        place,
        options,
        reading.subject.executable,
        place.by_place(reading.grads),
        bars,
        ledger,
        ledger.known_sums(numbers) if ledger else {},
    )
    return with_timetable(MODES[options.mode](scene, basis), options, reading)


def with_timetable(scene, options, reading):
    """The scene of a memory plan with its timetable; with a note where that has no room."""
    if options.mode != "plan" or not options.is_plain():
        return scene
    table, reason = read_timetable(reading.subject.executable, reading.names)
    notes = (*scene.notes, reason) if reason else scene.notes
    return scene._replace(timetable=table, notes=notes)


def shown_results(graph, primal):
    """The ids of the nodes that show the results."""
    drawn = (primal.owner[at] for at in graph.results if at in primal.owner)
    return tuple(dict.fromkeys(primal.ids[index] for index in drawn))


class Places:
    """Where the learner's objects stand in an outline, by identity; of a program, by those that it
    was made from."""

    def __init__(self, graph):
        sources = {id(learners_value(value)): at for at, value in enumerate(graph.values)}
        self.at, self.ids = {**sources, **graph.place}, graph.ids

    def all(self, values):
        """The positions of those values that are in the graph."""
        return {self.at[id(value)] for value in values if id(value) in self.at}

    def centres(self, around):
        """The positions of the values to draw the neighbourhood of; ids such as "n12" count."""
        if around is None:
            return ()
        ids = {name: at for at, name in enumerate(self.ids)}
        found = [
            ids.get(one) if isinstance(one, str) else self.at.get(id(one))
            for one in (around if isinstance(around, (list, tuple)) else [around])
        ]
        if None in found or not found:
            raise ArgumentError(
                "draw: around is not a value of this graph",
                'pass a value that the result depends on, or an id as "n12"',
            )
        return tuple(found)

    def numbers(self, pairs):
        """Position → number, from a mapping or from (value, number, …) tuples."""
        known = {name: at for at, name in enumerate(self.ids)}
        found = {}
        for one, number, *_ in as_pairs(pairs):
            at = known.get(one.id) if isinstance(one, NodeId) else self.at.get(id(one))
            if at is not None:
                found[at] = number
        return found

    def by_place(self, numbers):
        """Position → number, from the numbers by identity."""
        return {at: numbers[one] for one, at in self.at.items() if one in numbers}

    def shares(self, trace, primal):
        """(source id, user id) → texts, from (primal, adjoint, [(user, share), …]) tuples."""
        found = {}
        for one, _, *rest in as_pairs(trace):
            for user, share in rest[0] if rest else ():
                ends = tuple(primal.owner.get(self.at.get(id(end))) for end in (one, user))
                if None not in ends:
                    key = tuple(primal.ids[end] for end in ends)
                    found.setdefault(key, []).append(number_text(share))
        return found


def as_pairs(pairs):
    """The pairs of a mapping, or the tuples of a list."""
    found = pairs.items() if hasattr(pairs, "items") else pairs or ()
    if isinstance(found, (list, tuple, ItemsView)) and all(map(is_value_pair, found)):
        return list(found)
    raise ArgumentError(
        f"draw: {type(pairs).__name__} does not assign numbers to values",
        "pass {value: number}, or a list of (value, number)",
    )


def is_value_pair(thing):
    """Whether it is a tuple of a value and a number, and perhaps more."""
    return isinstance(thing, tuple) and len(thing) >= 2
