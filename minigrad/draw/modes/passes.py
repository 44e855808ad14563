"""What optimisation did, pass by pass: changed values ringed, removed ones struck out."""

from collections import Counter
from itertools import count
from textwrap import wrap
from types import SimpleNamespace
from typing import NamedTuple

from minigrad.draw.modes.compare import Union, list_keys, sign, union
from minigrad.draw.modes.notes import empty_scene
from minigrad.draw.modes.plan import colour_buffers
from minigrad.draw.modes.primal import Primal, with_stubs
from minigrad.draw.modes.stages import share_room
from minigrad.draw.read import clean, drawable, form_of, peek, value_text
from minigrad.draw.read.bodies import kernel_of
from minigrad.draw.read.fold import fold_outline
from minigrad.draw.read.outline import outline
from minigrad.draw.scene import Edge, Span
from minigrad.errors import ArgumentError

REASON = 26  # characters in a line of a reason
LINES = 3  # of a reason
SAME = "the same as "  # what a pass says that keeps one of two equal values
WIDE, CODE_LINES = 96, 24  # of a program: letters of a line, lines


def reports_of(executable):
    """The reports of the passes that made a program. Raises ArgumentError where there are none."""
    reports = peek(executable, "report")
    if not isinstance(reports, list) or peek(executable, "plan") is None:
        raise ArgumentError(
            f"draw.passes: {type(executable).__name__} holds no report of passes",
            "pass what sess.compile(fetches, feeds) returns",
        )
    if not reports:
        fact = "draw.passes: this program was not optimised"
        raise ArgumentError(fact, "make the Session with optimize=True")
    return reports


def pass_scenes(executable, budget, opened=(), closed=()):
    """A Scene of the program as it was built, one for each pass that changed it, and what runs.

    Name scopes may be `opened` in large ones, and `closed`.

    A node stays at its place from one to the next, but for programs too large to be drawn whole.
    """
    scenes = list(changing_scenes(executable, PassView(budget, opened, closed)))
    whole = all(scene.nodes and len(scene.nodes) == scene.total for scene in scenes)
    return share_room(scenes) if whole else scenes


class PassView(NamedTuple):
    """How much is drawn: at most so many nodes, and which name scopes open and closed."""

    budget: int
    opened: tuple = ()
    closed: tuple = ()

    def fold(self, graph, **more):
        """The Folding of a graph."""
        return fold_outline(graph, self.budget, self.opened, collapse=self.closed, **more)


def changing_scenes(executable, limits):
    """The scenes one after the other, each laid out by itself."""
    first, *_ = reports = reports_of(executable)
    graph = program_outline(first.program)
    ids = (f"n{at}" for at in count(len(graph.values)))
    yield pass_scene(
        Union(graph, {}, {}, [], []), {}, f"as it was built: {first.after} nodes", limits
    )
    seen = Counter()
    for report in reports:
        seen[report.name] += 1
        after = program_outline(report.program)
        told = {note.node for note in report.notes}
        noted = [at for at in range(len(graph.values)) if noted_as(graph, at) in told]
        found = union(graph, after, ids, noted)
        if found.marks or after.frames:
            again = f" ({seen[report.name]})" if seen[report.name] > 1 else ""
            words = f"{report.name}{again}: {report.before} → {report.after} nodes"
            yield pass_scene(found, reasons(found, graph, report.notes), words, limits, graph)
        graph = after._replace(ids=[found.graph.ids[at] for at in found.after])
    found = union(graph, program_outline(executable.program), ids)
    yield running_scene(executable, found.graph, limits)


def program_outline(program):
    """The Outline of a program, fused kernels opened."""
    return outline(list(program.roots()), None, lambda id, value: kernel_of(value) is not None)


# why ---------------------------------------------------------------------------------------------


def reasons(found, before, notes):
    """Position → why it was changed or removed, from the notes of the pass."""
    told = {}
    for note in notes:
        told.setdefault(note.node, []).append(str(note.what))
    why, kept = {}, survivors(found)
    for at, mark in sorted(found.marks.items(), key=lambda pair: pair[1]):  # removed ones first
        old = found.was.get(at)
        words = told.get(noted_as(before, old)) if old is not None else None
        if words and words[0].startswith(SAME) and at in kept:
            words.pop(0)
            why[at] = f"{SAME}{call_words(found.graph, kept[at])}"
        elif words and "in one kernel" not in words[0]:
            why[at] = clean(words.pop(0), 80)
        elif mark == "gone":
            why[at] = "nothing needs it"
        elif old is not None and (pair := new_operand(found, before, at)):
            new, past = (call_words(found.graph, one, deep=False) for one in pair)
            why[at] = f"reads {new}, not {past}" if new != past else f"reads the other {new}"
    return why


def swapped_operands(found, before):
    """(user, what it reads now, what it read at that place before) in the later graph."""
    now = {old: here for here, old in found.was.items()}
    for user in found.after:
        past = before.inputs[found.was[user]] if user in found.was else ()
        for new, old in zip(found.graph.inputs[user], past):
            if now[old] != new:
                yield user, new, now[old]


def survivors(found):
    """{what is gone: what is left that computes the same}: an equal op of equal operands.

    The order of operands counts, but where the op is commutative.
    """
    graph, kinds, left = found.graph, {}, {}
    signs = list_keys(sign, graph)
    kind = []  # position → the number of what is computed there
    for at, inputs in enumerate(graph.inputs):
        operands = [kind[source] for source in inputs]
        operands = sorted(operands) if peek(graph.values[at].op, "commutative") else operands
        is_leaf = not inputs and graph.roles[at] != "constant"
        key = at if is_leaf else (signs[at], *operands)
        kind.append(kinds.setdefault(key, len(kinds)))
        if found.marks.get(at) != "gone":
            left.setdefault(kind[at], at)
    gone = (at for at, mark in found.marks.items() if mark == "gone")
    return {at: left[kind[at]] for at in gone if kind[at] in left}


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


def noted_as(graph, at):
    """What a note calls a value: its op, its name, its form."""
    name = f" {graph.names[at]}" if graph.names[at] else ""
    return f"{graph.ops[at]}{name} {form_of(graph.values[at])}"


# scenes ------------------------------------------------------------------------------------------


def pass_scene(found, why, words, limits, before=None):
    """The scene of one step, from its Union with the step before."""
    graph, marks = found.graph, found.marks
    changed = tuple(marks) if len(graph.values) > limits.budget else ()
    folding = limits.fold(graph, depth=1 if changed else None, around=changed)
    scene = empty_scene("pass", words, graph, folding, limits.budget)
    primal = Primal(graph, folding)
    shown = tuple(id for id in scene.results if id in primal.ids)
    scene = mark_changes(primal.fill(scene)._replace(results=shown), primal, marks, why, found.lost)
    kept = survivors(found) if before else {}
    drawn = {at: id for id, at in primal.alone.items()}
    same = [
        Edge(drawn[old], drawn[new], "same")
        for old, new in kept.items()
        if why.get(old, "").startswith(SAME) and {old, new} <= drawn.keys()
    ]
    scene = scene.plus((), same)
    return with_stubs(scene, graph, primal) if changed else scene


def running_scene(executable, graph, limits):
    """The scene of what runs: values in the colours of their buffers, and the generated code."""
    folding = limits.fold(graph)
    kernels = sum(frame.kind == "fused" for frame in graph.frames)
    inside = {frame.path for frame in graph.frames}
    calls = sum(
        role == "op" and not {*parents(path)} & inside
        for role, path in zip(graph.roles, graph.scopes)
    )
    words = " and ".join(
        f"{number} {word}{'s' * (number != 1)}"
        for number, word in ((kernels, "kernel"), (calls, "call"))
        if number
    )
    scene = empty_scene("plan", f"what runs: {words or 'nothing'}", graph, folding, limits.budget)
    code = tuple(code_lines(str(peek(executable, "source") or "")))
    primal = Primal(graph, folding)
    scene = primal.fill(scene)._replace(code=code)
    return colour_buffers(scene, SimpleNamespace(executable=executable, primal=primal))


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
    nodes = [mark_node(node, marks.get(at), why.get(at)) for node, at in zip(scene.nodes, places)]
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
    lines = node.lines
    if mark == "gone":
        lines = tuple(tuple(span._replace(strike=True) for span in line) for line in lines)
    below = tuple((Span(part),) for part in wrap(reason or "", REASON)[:LINES])
    more = f"removed: {reason}" if mark == "gone" else f"changed: {reason}" if reason else "changed"
    return node._replace(
        lines=(*lines, *below), mark=mark, more=more, fill="gone" if mark == "gone" else ""
    )
