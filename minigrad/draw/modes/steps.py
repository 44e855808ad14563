"""The steps of the passes over a program, and then over the bodies of its loops and choices."""

from collections import Counter
from typing import NamedTuple

from minigrad.core.errors import ArgumentError
from minigrad.draw.read import peek
from minigrad.draw.read.bodies import kernel_of, loop_of
from minigrad.draw.read.outline import outline
from minigrad.draw.scene import MARK, handle_of

PARTS = {"body": "the body", "condition": "the condition"}  # others by their own name


class PassStep(NamedTuple):
    """What one pass left, in words and as an Outline, its notes, and its report; the first step has
    the report of the program as it was built."""

    words: str
    graph: object
    notes: list
    report: object


class StagedBody(NamedTuple):
    """A body as one of its passes left it, in the place of the learner's."""

    inputs: list
    nodes: list
    outputs: list


def reports_of(executable):
    """The reports of the passes that made a program. Raises ArgumentError where there are none."""
    reports = peek(executable, "report")
    if not isinstance(reports, list) or peek(executable, "plan") is None:
        raise ArgumentError(
            f"draw.passes: {type(executable).__name__} holds no report of passes",
            "pass what sess.compile(fetches, feeds) returns",
        )
    if not reports:
        message = "draw.passes: this program was not optimised"
        raise ArgumentError(message, "make the Session with optimize=True")
    return reports


class PassHistory:
    """What was reported of an Executable; `is_open(handle)` says which loops are opened.

    A loop or a choice has one handle in all steps, as "loop1": passes copy it, but its bodies stay.
    `handles` has those of the nodes seen so far: {id(node): handle}.
    """

    def __init__(self, executable, is_open):
        self.executable, self.reports, self.is_open = executable, reports_of(executable), is_open
        self.handle_of_bodies, self.handles, self.body_programs = {}, {}, {}
        bodies = peek(peek(executable, "runner"), "bodies", default=())
        own = {id(node) for node in executable.program.nodes()}
        self.bodies = [report for report in bodies if id(report.node) in own]

    def first(self):
        """The program as it was built."""
        return self.as_built(self.reports)

    def as_built(self, reports):
        """The program that the passes of these reports began with."""
        words = f"as it was built: {reports[0].after} nodes"
        return PassStep(words, self.outline(reports[0].program), [], reports[0])

    def all_steps(self):
        """The program as it was built, and all steps."""
        yield self.first()
        yield from self.steps()

    def steps(self):
        """A PassStep for each pass over the program, then for each over a body."""
        yield from self.steps_of(self.reports)
        program = self.executable.program
        self.name_loops(program)
        self.body_programs = {(id(one.node), id(one.fn)): one.program for one in self.bodies}
        for one in self.bodies:
            part = self.part_words(one)
            for report, name in zip(one.report, numbered_names(one.report)):
                self.body_programs[id(one.node), id(one.fn)] = report.program
                words = f"{part}, {count_words(name, report)}"
                yield PassStep(words, self.outline(program), report.notes, report)

    def steps_of(self, reports):
        """A PassStep for each of the reports on one program."""
        for report, name in zip(reports, numbered_names(reports)):
            words, graph = count_words(name, report), self.outline(report.program)
            yield PassStep(words, graph, report.notes, report)

    def graphs(self):
        """(which body it is or "", PassSteps) of the program by itself, then of each body."""
        yield "", [self.as_built(self.reports), *self.steps_of(self.reports)]
        self.name_loops(self.executable.program)
        for one in self.bodies:
            yield self.part_words(one), [self.as_built(one.report), *self.steps_of(one.report)]

    def last(self):
        """What runs."""
        return self.outline(self.executable.program)

    def close_bodies(self):
        """What runs, with its loops and choices closed."""
        return outline(list(self.executable.program.roots()), None, lambda id_, v: kernel_of(v))

    def closed_notes(self):
        """What is said of the loops and choices that are closed."""
        handles = dict.fromkeys(self.handles.values())
        for handle in [one for one in handles if not self.is_open(one)][:1]:
            yield f'{handle} holds a body: draw.passes(executable, expand="{handle}")'

    def part_words(self, report):
        """Which body of which loop a report is of: "the body of loop1"."""
        names = (name for name, fn in report.node.params.items() if fn is report.fn)
        name = next(names)
        return f"{PARTS.get(name, name)} of {self.handles[id(report.node)]}"

    # outlines ------------------------------------------------------------------------------------

    def outline(self, program):
        """The Outline of a program with its kernels opened, and the loops that are open."""
        self.name_loops(program)
        opened = {}

        def chosen(id_, value):
            handle = self.handles.get(id(value))
            if handle is None or not self.is_open(handle):
                return kernel_of(value) is not None
            opened[id_] = handle
            return True

        insides = dict(self.insides(program)) if self.body_programs else None
        graph = outline(list(program.roots()), None, chosen, insides=insides)
        return name_frames(graph, opened)

    def name_loops(self, program):
        """Gives each loop and choice of a program its handle."""
        count = Counter()
        for node in program.nodes():
            loop = loop_of(node)
            if loop is not None:
                key = tuple(map(id, loop.bodies.values()))
                count[key] += 1
                word = "choice" if loop.kind == "choice" else "loop"
                handles = self.handle_of_bodies.values()
                number = sum(handle.startswith(word) for handle in handles) + 1
                handle = self.handle_of_bodies.setdefault((*key, count[key]), f"{word}{number}")
                self.handles[id(node)] = handle

    def insides(self, program):
        """(id of a node, ({name: StagedBody}, operands)) of the loops whose bodies have steps."""
        for node in program.nodes():
            own = [one for one in self.bodies if one.node is node]
            if not own:
                continue
            loop = loop_of(node)
            fixed = {order: x for one in own for order, x in one.outside.items()}
            count = 1 if loop.kind == "choice" else loop.carries + loop.slices
            bodies = {
                name: staged_body(self.body_programs[id(node), id(fn)], fn, loop, sorted(fixed))
                for name, fn in loop.bodies.items()
            }
            outer = [fixed[order] for order in sorted(fixed)]
            yield id(node), (bodies, [*node.inputs[:count], *outer])


def staged_body(program, fn, loop, fixed):
    """The StagedBody of a body's program; what it does not read any more has a stand-in."""
    own = range(loop.carries + loop.slices)
    inputs = [
        program.variables.get(i) if i < loop.carries else program.feeds.get(loop.carries - 1 - i)
        for i in own
    ]
    inputs = [fn.inputs[i] if inputs[i] is None else inputs[i] for i in own]
    inputs += [program.feeds.get(order) for order in fixed]
    formal = {id(x) for x in inputs}
    nodes = [node for node in program.nodes() if id(node) not in formal]
    return StagedBody(inputs, nodes, program.fetches or [new for _, new in program.stores])


def name_frames(graph, opened):
    """The Outline with the frames of opened loops called by their handles; `opened` maps ids."""

    def named(path):
        return "/".join(map(named_part, path.split("/")))

    def named_part(part):
        if not part.startswith(MARK):
            return part
        id, mark, rest = part[1:].partition(MARK)
        return f"{MARK}{opened.get(id, id)}{mark}{rest}"

    def labelled(frame):
        handle = opened.get(handle_of(frame.path))
        lines = (f"{handle}: {frame.lines[0]}", *frame.lines[1:]) if handle else frame.lines
        return frame._replace(path=named(frame.path), lines=lines)

    frames = list(map(labelled, graph.frames))
    return graph._replace(frames=frames, scopes=list(map(named, graph.scopes)))


# words -------------------------------------------------------------------------------------------


def numbered_names(reports):
    """The names of passes; of those that come again with a number: "cse (2)"."""
    seen = Counter()
    for report in reports:
        seen[report.name] += 1
        yield report.name + (f" ({seen[report.name]})" if seen[report.name] > 1 else "")


def count_words(name, report):
    """A pass, and how many nodes there are before and after it."""
    return f"{name}: {report.before} → {report.after} nodes"
