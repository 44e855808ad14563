"""What optimisation did, pass by pass: changed values ringed, removed ones struck out."""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from textwrap import wrap
from types import SimpleNamespace
from typing import NamedTuple

from minigrad.draw.modes.compare import Union, union
from minigrad.draw.modes.notes import empty_scene
from minigrad.draw.modes.plan import colour_buffers
from minigrad.draw.modes.primal import Primal, with_stubs
from minigrad.draw.modes.stages import share_room
from minigrad.draw.modes.steps import PassHistory, PassStep
from minigrad.draw.read import clean, drawable, peek, value_text
from minigrad.draw.read.bodies import loop_of
from minigrad.draw.read.fold import fold_outline
from minigrad.draw.read.formulas import INFIX
from minigrad.draw.read.opened import ITEMS, Inner
from minigrad.draw.read.outline import Outline
from minigrad.draw.read.signs import sign_of
from minigrad.draw.scene import MARK, Edge

REASON = 26  # characters in a line of a reason
LINES = 3  # of a reason
LOOPED = ("While", "Scan", "Cond")  # ops that are not drawn where they are opened
WIDE, CODE_LINES = 96, 24  # of a program: letters of a line, lines


def pass_scenes(executable, budget, opened=(), closed=(), titles=None, runs=True):
    """A Scene of the program as it was built, one for each pass that changed it, and what `runs`.

    Name scopes may be `opened` in large ones, and `closed`; loops and choices, too: these are open
    where all is drawn, and then the passes over their bodies have scenes of their own.
    A node stays at its place from one to the next, but for programs too large to be drawn whole.
    With `titles` there is a scene of each of these, whether it changed anything or not.
    """
    limits = PassView(budget, opened, closed, fits_with_loops(executable, budget))
    steps = changing_scenes(executable, limits, runs)
    scenes = [s for s, changed in steps if (changed if titles is None else s.title in titles)]
    whole = all(scene.nodes and len(scene.nodes) == scene.total for scene in scenes)
    return share_room(scenes) if whole else scenes


def fits_with_loops(executable, budget):
    """Whether a program is drawn whole with its loops and choices opened."""
    return len(PassHistory(executable, lambda handle: True).first().graph.values) <= budget


class PassView(NamedTuple):
    """How much is drawn: at most so many nodes, and which name scopes and loops open and closed."""

    budget: int
    expand: tuple = ()
    collapse: tuple = ()
    loops: bool = False  # whether loops are open that are in neither

    def fold(self, graph, **more):
        """The Folding of a graph."""
        return fold_outline(
            graph, self.budget, self.expand, collapse=self.collapse, whole=True, **more
        )

    def is_open(self, handle):
        """Whether a loop or a choice is opened."""
        return handle in self.expand or self.loops and handle not in self.collapse


def changing_scenes(executable, limits, runs):
    """(scene, whether something changed) one after the other, each laid out by itself."""
    history = PassHistory(executable, limits.is_open)
    for change in pass_changes(history.all_steps()):
        yield (
            pass_scene(change.found, change.why, change.step.words, limits, history),
            change.is_some,
        )
    if runs:
        graph = union(change.left, history.last(), change.ids).graph
        yield running_scene(executable, graph, limits, history), True


class PassChange(NamedTuple):
    """A PassStep, as its Union with the step before; `before` and `left` are their
    Outlines with lasting ids, and `ids` gives new ones."""

    step: PassStep
    found: Union
    why: dict  # position → Reason
    is_some: bool  # whether something changed
    before: Outline
    left: Outline
    ids: Iterator


def pass_changes(steps):
    """A PassChange of each PassStep; the first one is there as it was built."""
    graph = ids = None
    for step in steps:
        if graph is None:
            graph, ids = step.graph, new_ids(step.graph)
            yield PassChange(step, Union(graph, {}, {}, [], []), {}, True, graph, graph, ids)
            continue
        places = places_of(graph)
        noted = {places[id(note.node)] for note in step.notes if id(note.node) in places}
        found = union(graph, step.graph, ids, noted)
        why = reasons(found, graph, step.graph, step.notes)
        is_some = bool(found.marks) or count_kernels(step.graph) > count_kernels(graph)
        before, graph = (
            graph,
            step.graph._replace(
                ids=[found.graph.ids[at] for at in found.after],
                frames=found.graph.frames,
            ),
        )
        yield PassChange(step, found, why, is_some, before, graph, ids)


def new_ids(graph):
    """Ids behind those of an Outline, one after the other."""
    return (f"n{at}" for at in count(len(graph.values)))


def count_kernels(graph):
    """How many fused kernels are opened."""
    return sum(frame.kind == "fused" for frame in graph.frames)


# why ---------------------------------------------------------------------------------------------


class Reason(NamedTuple):
    """Why a value was changed or removed: in few words, and in a sentence where that says more.

    `survivor` is the position of an equal value that stays; `is_equation` says that the words are
    an equation of the compiler.
    """

    words: str
    survivor: int | None = None
    sentence: str = ""
    is_equation: bool = False


def reasons(found, before, after, notes):
    """{position: Reason} of what was changed or removed between two Outlines, by a pass's notes."""
    noted, now = list_notes(before, notes), places_of(after)
    loops = [str(note.what) for note in notes if note.node.op.__name__ in LOOPED]
    why = {}
    for at in sorted(found.marks):
        note = first_note(before, noted, found.was.get(at))
        kept = now.get(id(note.other)) if note and note.kind == "merged" else None
        if kept is not None:
            place = found.after[kept]
            sentence = merged_sentence(found.graph, at, place)
            why[at] = Reason(f"the same as {call_words(found.graph, place)}", place, sentence)
        elif note and note.kind == "folded":
            sentence = folded_sentence(before, found.was[at], found.graph, at)
            why[at] = Reason(clean(str(note.what), 80), sentence=sentence)
        elif note and note.kind != "fused":
            why[at] = Reason(clean(str(note.what), 80), is_equation=note.kind == "rewritten")
        elif words := unnoted_reason(found, before, at, loops):
            why[at] = Reason(words)
    return why


def merged_sentence(graph, at, place):
    """What merging the value at `at` with that at `place` did."""
    one, other = value_words(graph, at), value_words(graph, place)
    computes = f"{one} computes {formula_words(graph, place)}, and so does {other}"
    return f"{computes}. The compiler keeps {other} and removes {one}."


def folded_sentence(before, was, graph, at):
    """What folding did to a value, of the Outline before, that is a constant in `graph` now."""
    computed = f"{formula_words(before, was)} has no inputs, so the compiler computes it once"
    number = value_text(graph.values[at])
    return f"{computed}. The node becomes {f'the constant {number}' if number else 'a constant'}."


def formula_words(graph, at):
    """How a value is computed: "x · w", "exp(x)"."""
    op, xs = graph.ops[at], [value_words(graph, source) for source in graph.inputs[at]]
    if op in INFIX and len(xs) == 2:
        exact, shown, _ = INFIX[op]
        return f" {shown or exact} ".join(xs)
    return f"{sign_of(graph.values[at], op) or op}({', '.join(xs)})"


def value_words(graph, at):
    """A value by its name, its number, or v and the number of its id."""
    number = value_text(graph.values[at]) if graph.roles[at] == "constant" else ""
    return graph.names[at] or number or graph.numbered_name(at)


def list_notes(graph, notes):
    """{position: the Notes on the value there, first one first}."""
    places, noted = places_of(graph), {}
    for note in notes:
        noted.setdefault(places.get(id(note.node)), []).append(note)
    return noted


def first_note(graph, noted, at):
    """The Note of a value, or None; an operand takes the first of the several on its user, as of
    two transposes that were made one, and then none."""
    users = (user for user, inputs in enumerate(graph.inputs) if at in inputs)
    spare = (noted[user] for user in users if len(noted.get(user, ())) > 1)
    left = noted.get(at) or next(spare, None)
    return left.pop(0) if left and at is not None else None


def unnoted_reason(found, before, at, loops):
    """Why a value of which no note speaks was changed or removed, or None; `loops` are the notes
    on loops and choices, which take all inside with them."""
    scope, there = found.graph.scopes[at], {frame.path for frame in found.graph.frames}
    if found.marks[at] == "gone":
        inside = scope.startswith(MARK) and scope not in there
        lost = inside or found.graph.ops[at] in LOOPED
        return loops[0] if loops and lost else "nothing needs it"
    pair = new_operand(found, before, at) if at in found.was else None
    if pair is None:
        return None
    new, past = (call_words(found.graph, one, deep=False) for one in pair)
    return f"reads {new}, not {past}" if new != past else f"reads the other {new}"


def places_of(graph):
    """{id of a node of the program: its position}, also of those inside opened loops."""
    return {
        id(value.origin if isinstance(value, Inner) else value): at
        for at, (value, role) in enumerate(zip(graph.values, graph.roles))
        if role != "port"
    }


def swapped_operands(found, before):
    """(user, what it reads now, what it read at that place before) in the later graph."""
    now = {old: here for here, old in found.was.items()}
    for user in found.after:
        past = before.inputs[found.was[user]] if user in found.was else ()
        for new, old in zip(found.graph.inputs[user], past):
            if now[old] != new:
                yield user, new, now[old]


def new_operand(found, before, at):
    """(what a value reads now, what it read before) of the first operand that changed; or None."""
    swaps = swapped_operands(found, before)
    return next(((new, old) for user, new, old in swaps if user == at), None)


def call_words(graph, at, deep=True):
    """A value by its name, its number, or its op, with its operands in the same words."""
    if graph.names[at] or graph.roles[at] == "constant":
        return graph.names[at] or value_text(graph.values[at]) or "a constant"
    parts = [call_words(graph, source, deep=False) for source in graph.inputs[at]]
    return f"{graph.ops[at]}({', '.join(parts)})" if deep and parts else str(graph.ops[at])


# scenes ------------------------------------------------------------------------------------------


def pass_scene(found, why, words, limits, history):
    """The scene of one step, from its Union with the step before."""
    graph, marks = found.graph, found.marks
    changed = tuple(marks) if len(graph.values) > limits.budget else ()
    folding = limits.fold(graph, depth=1 if changed else None, around=changed)
    scene = empty_scene("pass", words, graph, folding, limits.budget)
    primal = Primal(graph, folding)
    scene = scene._replace(notes=(*scene.notes, *history.closed_notes()))
    shown = tuple(id for id in scene.results if id in primal.ids)
    scene = name_handles(primal.fill(scene)._replace(results=shown), primal, history)
    scene = mark_changes(scene, primal, marks, why, found.lost_edges)
    drawn = {at: id for id, at in primal.alone.items()}
    same = [
        Edge(drawn[old], drawn[reason.survivor], "same")
        for old, reason in why.items()
        if {old, reason.survivor} <= drawn.keys()
    ]
    scene = scene.plus((), same)
    return with_stubs(scene, graph, primal) if changed else scene


def running_scene(executable, graph, limits, history):
    """The scene of what runs: values in the colours of their buffers, and the generated code."""
    folding = limits.fold(graph)
    words = f"what runs: {running_words(history.close_bodies()) or 'nothing'}"
    scene = empty_scene("plan", words, graph, folding, limits.budget)
    code = tuple(code_lines(str(peek(executable, "source") or "")))
    primal = Primal(graph, folding)
    scene = name_handles(primal.fill(scene)._replace(code=code), primal, history)
    return colour_buffers(scene, SimpleNamespace(executable=executable, primal=primal))


def running_words(graph):
    """How many kernels, loops and calls run, of a graph whose loops are closed."""
    inside, found = {frame.path for frame in graph.frames}, Counter(kernel=count_kernels(graph))
    for value, op, role, path in zip(graph.values, graph.ops, graph.roles, graph.scopes):
        loop = loop_of(value)
        if role == "op" and op not in ITEMS and not {*parents(path)} & inside:
            found["call" if loop is None else "choice" if loop.kind == "choice" else "loop"] += 1
    kinds = (kind for kind in ("kernel", "loop", "choice", "call") if found[kind])
    words = [f"{found[kind]} {kind}{'s' * (found[kind] != 1)}" for kind in kinds]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def name_handles(scene, primal, history):
    """The scene with each closed loop opened by its handle, which is one in all pictures."""

    def handle(node):
        value = primal.outline.values[primal.alone[node.id]] if node.id in primal.alone else None
        return history.handles.get(id(value), "")

    loops = {node.id for node in scene.nodes if node.role == "op" and node.opens}
    return scene._replace(
        nodes=tuple(
            node._replace(opens=handle(node)) if node.id in loops else node for node in scene.nodes
        )
    )


def parents(path):
    """A path and all paths around it."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def code_lines(source):
    """The lines of generated code without its remarks, at most so many."""
    lines = [line.partition("  #")[0].rstrip() for line in source.splitlines()]
    lines = ["".join(map(drawable, line[:WIDE])) for line in lines if line]
    yield from lines[:CODE_LINES]
    if len(lines) > CODE_LINES:
        yield f"… {len(lines) - CODE_LINES} more lines: print(executable.source)"


def mark_changes(scene, primal, marks, why, lost):
    """The scene with its nodes marked, and with the edges that are gone."""
    places = [primal.alone.get(node.id) for node in scene.nodes]
    nodes = [mark_node(n, marks.get(at), why.get(at)) for n, at in zip(scene.nodes, places)]
    gone = {node.id for node in nodes if node.mark == "gone"}
    edges = [
        edge._replace(kind="gone") if {edge.source, edge.target} & gone else edge
        for edge in scene.edges
    ]
    drawn = {at: id for id, at in primal.alone.items()}
    edges += [Edge(drawn[a], drawn[b], "gone") for a, b in lost if {a, b} <= drawn.keys()]
    return scene._replace(nodes=tuple(nodes), edges=tuple(edges))


def mark_node(node, mark, reason):
    """The node with its mark, and the reason below its label."""
    if mark is None:
        return node
    said = reason.sentence or reason.words if reason else ""
    below = wrap(reason.words if reason else "", REASON)[:LINES]
    more = f"removed: {said}" if mark == "gone" else f"changed: {said}" if said else "changed"
    return node._replace(
        lines=(*node.lines, *below), mark=mark, more=more, fill="gone" if mark == "gone" else ""
    )
