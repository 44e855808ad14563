"""What optimisation did, pass by pass: changed values ringed, removed ones struck out."""

from collections import Counter
from itertools import count
from textwrap import wrap

from minigrad.draw.modes.compare import union
from minigrad.draw.modes.notes import empty_scene
from minigrad.draw.modes.primal import Primal, with_stubs
from minigrad.draw.read import clean, form_of, peek
from minigrad.draw.read.bodies import kernel_of
from minigrad.draw.read.fold import fold_outline
from minigrad.draw.read.outline import outline
from minigrad.draw.scene import Edge, Span
from minigrad.errors import ArgumentError

REASON = 26  # characters in a line of a reason
LINES = 3  # of a reason


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


def pass_scenes(executable, budget):
    """A Scene of the program as it was built, and one for each pass that changed it."""
    first, *_ = reports = reports_of(executable)
    graph = program_outline(first.program)
    ids = (f"n{at}" for at in count(len(graph.values)))
    yield pass_scene(graph, {}, {}, [], f"as it was built: {first.after} nodes", budget)
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
            why = reasons(found, graph, report.notes)
            yield pass_scene(found.graph, found.marks, why, found.lost, words, budget)
        graph = after._replace(ids=[found.graph.ids[at] for at in found.after])


def program_outline(program):
    """The Outline of a program, fused kernels opened."""
    return outline(list(program.roots()), None, lambda id, value: kernel_of(value) is not None)


def reasons(found, before, notes):
    """Position → why it was changed or removed, from the notes of the pass."""
    told = {}
    for note in notes:
        told.setdefault(note.node, []).append(str(note.what))
    why = {}
    for at, mark in sorted(found.marks.items(), key=lambda pair: pair[1]):  # removed ones first
        old = found.was.get(at)
        words = told.get(noted_as(before, old)) if old is not None else None
        if words and "in one kernel" not in words[0]:
            why[at] = clean(words.pop(0), 80)
        elif mark == "gone":
            why[at] = "nothing needs it"
    return why


def noted_as(graph, at):
    """What a note calls a value: its op, its name, its form."""
    name = f" {graph.names[at]}" if graph.names[at] else ""
    return f"{graph.ops[at]}{name} {form_of(graph.values[at])}"


def pass_scene(graph, marks, why, lost, words, budget):
    """The scene of one step."""
    changed = tuple(marks) if len(graph.values) > budget else ()
    folding = fold_outline(graph, budget, depth=1 if changed else None, around=changed)
    scene = empty_scene("pass", words, graph, folding, budget)
    primal = Primal(graph, folding)
    shown = tuple(id for id in scene.results if id in primal.ids)
    scene = mark_changes(primal.fill(scene)._replace(results=shown), primal, marks, why, lost)
    return with_stubs(scene, graph, primal) if changed else scene


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
