"""A scene as text: a table of nodes and edges that never changes, and the sentence for `alt`."""

import re

from minigrad.draw.scene import SIGNS, handle_of

LONG_ALT = 400  # characters
LONGEST = 400  # lines of a listing


def listing(scene):
    """The scene as plain text: a head line, a row per node, a line per source of edges."""
    lines = [scene_headline(scene)]
    lines += first_lines(align_columns([row(node) for node in scene.nodes]), "nodes")
    lines += first_lines(list(edge_lines(scene)), "lines of edges")
    lines += loop_lines(scene)
    lines += [message.says for message in getattr(scene.step, "said", ())]
    return "\n".join([*lines, *scene.remarks(), *scene.code])


def loop_lines(scene):
    """What loops say of themselves: condition, formula, iterations."""
    for frame in scene.frames:
        handle = handle_of(frame.path)
        yield from [f"{handle}: {', '.join(frame.texts())}"] * bool(frame.condition)
        yield from (f"{handle}, {line}" for line in frame.strip.texts()) if frame.strip else ()
    for node in scene.nodes:
        formula = "; ".join(node.formula_texts())
        yield from [f"{node.id}: {formula}"] * bool(formula)
        yield from (f"{node.id}, {line}" for line in node.strip.texts()) if node.strip else ()


def first_lines(lines, what):
    """So many of the lines that a listing stays short; how many are left out."""
    most = LONGEST // 2 - 20
    left = f"… {len(lines) - most:,} more {what}: they are in drawing.scene"
    return lines if len(lines) <= most else [*lines[:most], left]


def scene_headline(scene):
    """What is drawn: "forward graph: 5 nodes, 6 edges; result n4"."""
    nodes = f"{len(scene.nodes)} nodes, {len(scene.edges)} edges"
    results = ", ".join(scene.results)
    what = f"{scene.title}: " if scene.title else ""
    ends = f"; result{'s' * (len(scene.results) > 1)} {results}" if results else ""
    return f"{what}{scene.mode} graph: {nodes}{ends}"


def row(node):
    """Id, what it is, name, form, value, and what a mode adds."""
    name = "" if node.of else node.name
    return [node.id, node.call, name, node.spec, node.value, node.more]


def align_columns(rows):
    """Rows with their columns aligned."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths) if width).rstrip()
        for cells in rows
    ]


def edge_lines(scene):
    """ "n0 -> n2, n3": one line per source and kind, in the order of ids."""
    marks = {
        "saved": " (saved)",
        "inplace": " (in place)",
        "gone": " (removed)",
        "same": " (the same)",
        "control": " (runs after it)",
    }
    place = {node.id: at for at, node in enumerate(scene.nodes)}
    into = {}
    for edge in scene.edges:
        share = f" ({edge.label})" if edge.label else ""
        into.setdefault((edge.source, edge.kind), []).append((place[edge.target], share))
    for (source, kind), targets in sorted(into.items(), key=lambda e: (place[e[0][0]], e[0][1])):
        names = ", ".join(scene.nodes[at].id + share for at, share in sorted(targets))
        yield f"{source} -> {names}{marks.get(kind, '')}"


def alt(scene):
    """The drawing in a sentence or two, for readers who do not see it."""
    if scene.timetable:
        return timetable_alt(scene)
    said = [part for node in scene.nodes if (part := statement(scene, node))]
    said = said or [" = ".join(filter(None, [node.id, node.value])) for node in scene.nodes]
    return cut_alt(f"{scene.title or 'Computation graph'}: {'; '.join(said)}.")


def timetable_alt(scene):
    """The same of a memory plan: what it needs, and what each buffer holds."""
    held = "; ".join(text for _, text in scene.legend)
    what = "the operations in the order in which they run, and below them time and addresses"
    return cut_alt(f"{scene.title or 'Memory plan'}: {what}. {scene.timetable.says} {held}.")


def cut_alt(text):
    """A text that is not too long for `alt`."""
    return text if len(text) <= LONG_ALT else text[: LONG_ALT - 1] + "…"


def statement(scene, node):
    """One node as "y = Mul(a, b) = 6"."""
    if node.role == "constant":
        return ""
    if node.of:
        return f"{SIGNS[node.role](node.name)} = {node.value}" if node.value else ""
    call = call_in_names(scene, node) if node.role == "op" else node.call
    return " = ".join(filter(None, [node.name or node.id, call, node.value]))


def call_in_names(scene, node):
    """The call of an operation, its operands by name or number instead of by id."""
    fed = {edge.source: scene.node(edge.source) for edge in scene.edges if edge.target == node.id}
    words = {id: other.name or other.value or id for id, other in fed.items()}
    return re.sub(r"\w+", lambda found: words.get(found[0], found[0]), node.call)
