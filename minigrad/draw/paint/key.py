"""What stands below a drawing: the key to its marks in a line, and the notes."""

from minigrad.draw.layout.boxes import Box, text_width, wrap_text
from minigrad.draw.look import EDGES, FRAMES, SMALL
from minigrad.draw.paint.marks import (
    bookmark,
    chip_svg,
    letter_svg,
    num,
    open_head,
    rectangle,
    text_svg,
)
from minigrad.draw.read import PENDING

MEANINGS = {
    "stack": "what all iterations give, one below the other",
    "history": "what was carried into each iteration",
    "item": "one of several results",
    "handed out": "a result, in memory of its own",
}
SAMPLE, GAP, SPACE = 24, 6, 18  # the width of a sample; before its words; behind them
LETTER = 0.602 * SMALL  # the width of a letter of code
ROW, MIDDLE = 20, 7  # the height of a row of the key; the middle of a sample


def key_items(scene):
    """(words, sample) of every mark in the picture that does not explain itself."""
    if scene.timetable:
        yield from seam_items(scene.timetable)
    kinds = {edge.kind for edge in scene.edges}
    lines = kinds - {"gone", "data"} | ({"data"} if kinds & {"adjoint", "tangent"} else set())
    if scene.step:  # the lanes say what lines are
        lines &= {"adjoint"} if scene.mode == "workers" else set()
    yield from ((line_words(kind), line_sample(kind)) for kind in EDGES if kind in lines)
    labels = {edge.kind for edge in scene.edges if edge.label} & {"adjoint", "tangent"}
    labels = scene.step.amounts if scene.mode == "step" else labels and not scene.step
    if labels or "contribution" in scene.always_in_key:
        kind = "tangent" if "tangent" in kinds else "adjoint"
        yield "contribution", chip_svg("+3", SAMPLE / 2, MIDDLE, kind)
    if scene.step and scene.mode == "workers" and "adjoint" in kinds:
        yield "a value and its adjoint", f'<path class="axis" d="M{SAMPLE / 2:g} 0V14"/>'
    if scene.step and any(node.same for node in scene.nodes):
        yield "the same adjoint", rectangle(Box(SAMPLE / 2, MIDDLE, 20, 13), "rim same-adjoint", 6)
    yield from node_items(scene)
    yield from worker_items(scene) if scene.mode == "workers" and scene.step else ()
    yield from (
        (FRAME_WORDS[kind], frame_sample(kind)) for kind in FRAMES if kind in frame_kinds(scene)
    )
    if any(edge.slot for edge in scene.edges):
        yield "first operand", slot_sample()
    if scene.mode == "profile":  # few words, from dark to light
        yield from ((text, heat_sample(fill)) for fill, text in scene.legend)


def seam_items(table):
    """The same of a seam between the values of a block."""
    if any(block.holds[1:] for block in table.blocks):
        seam = f'<path class="seam b0-rim" d="M{SAMPLE / 2:g} 0V14"/>'
        yield "overwritten in place", seam


def line_words(kind):
    """What a kind of line means, in words for readers who see it for the first time."""
    return LINE_WORDS.get(kind, EDGES[kind].word)


LINE_WORDS = {
    "adjoint": "adjoint (derivative)",
}
FRAME_WORDS = {"loop": "repeated", "body": "a branch or a condition", "fused": "one kernel"}


def node_items(scene):
    """The same of the marks on cards."""
    nodes = scene.nodes
    if any(node.saved for node in nodes):
        yield "saved for backward", bookmark(SAMPLE / 2 - 5, 0)
    if scene.mode != "step" and any(node.role == "variable" for node in nodes):
        yield "variable", f'<path class="store variable-bar" d="M{SAMPLE - 8} 1V13"/>'
    if "pending" in scene.always_in_key or any(node.number == PENDING for node in nodes):
        yield "not computed yet", text_svg(PENDING, SAMPLE / 2 + 4, 12, "number")
    if any(node.inside > 1 for node in nodes):
        box, count = Box(SAMPLE / 2, MIDDLE, 18, 15), next(n.inside for n in nodes if n.inside > 1)
        sample = text_svg(str(count)[:2], box.x, 11, "small bold")
        yield "nodes on one card", rectangle(box, "op", 5) + sample
    for mark, words, look in (("ring", "changed", "ring"), ("gone", "removed", "gone ghost")):
        if any(node.mark == mark for node in nodes):
            yield words, rectangle(Box(SAMPLE / 2, MIDDLE, 20, 13), look, 5)


def worker_items(scene):
    """The same of what the lanes of workers have."""
    if any(edge.label for edge in scene.edges):
        yield "message", letter_svg(4, MIDDLE, "input")
    if any("fed by the caller" in node.more for node in scene.nodes):
        yield "fed by the caller", rectangle(Box(SAMPLE / 2, MIDDLE, 22, 13), "input", 6.5)
    if "later" in scene.always_in_key or any(node.mark == "later" for node in scene.nodes):
        yield "not computed yet", rectangle(Box(SAMPLE / 2, MIDDLE, 20, 13), "gone ghost", 5)


def frame_kinds(scene):
    """The kinds of the frames that hold a node, name scopes left out: these bear their names."""
    scopes = [f"{node.scope}/" for node in scene.nodes]
    found = (f.kind for f in scene.frames if any(s.startswith(f"{f.path}/") for s in scopes))
    return {*found} - {"scope"}


def frame_sample(kind):
    """A small frame, of a loop with the bars of its repeat signs."""
    bars = "".join(f'<path class="thin port-bar" d="M{x} 3V11"/>' for x in (5, 19))
    frame = rectangle(Box(SAMPLE / 2, MIDDLE, 20, 13), f"{FRAMES[kind].role} {kind}-frame", 4)
    return frame + bars * (kind == "loop")


def line_sample(kind):
    """A short line with its arrow's head: an adjoint's points back."""
    way = f"M1 {MIDDLE}H{SAMPLE - 1}"
    core = f'<path class="core" d="{way}"/>' if kind == "inplace" else ""
    x, angle = (1, 3.1416) if kind == "adjoint" else (SAMPLE - 1, 0.0)
    return f'<path class="edge {kind}" d="{way}"/>{core}{open_head(x, MIDDLE, angle, kind)}'


def heat_sample(fill):
    """A piece of a card in a colour of the legend."""
    return rectangle(Box(SAMPLE / 2, MIDDLE, 20, 13), fill, 4)


def slot_sample():
    """The number at an arrow's head."""
    return line_sample("data") + text_svg("1", 9, 4.5, "small")


def explained_words(scene):
    """What words mean that are no operations of the learner's."""
    said = {node.sign.lower() for node in scene.nodes}
    said |= {word for node in scene.nodes for word in node.more.split(" · ")}
    return [f"{word}: {meaning}." for word, meaning in MEANINGS.items() if word in said]


def key_rows(items, width):
    """The items as SVG text: in one row where they fit."""
    rows, row, x = [], [], 0.0
    for words, sample in items:
        wide = text_width(words, SMALL)
        if row and x + SAMPLE + GAP + wide > width:
            rows, row, x = [*rows, "".join(row)], [], 0.0
        text = text_svg(words, SAMPLE + GAP, 10.6, "small start muted", wide)
        row.append(f'<g transform="translate({num(x)} 0)">{sample}{text}</g>')
        x += SAMPLE + GAP + wide + SPACE
    return [*rows, "".join(row)] if row else rows


def footer(scene, left, width, top):
    """The key and the notes below the picture, and the height of the whole card."""
    parts, y = [], top + 6
    for items in key_rows(key_items(scene), width):
        parts.append(f'<g transform="translate({left} {num(y)})">{items}</g>')
        y += ROW
    for fill, text in scene.legend if scene.mode != "profile" else ():
        text = next(wrap_notes([text], width - SAMPLE - GAP))
        words = text_svg(text, left + SAMPLE + GAP, y + 8.6, "small start", text_width(text, SMALL))
        parts.append(rectangle(Box(left + 10, y + 5, 18, 11), fill, 2) + words)
        y += 15
    for note in wrap_notes([*scene.notes, *explained_words(scene)], width):
        parts.append(text_svg(note, left, y + 8, "small start muted", text_width(note, SMALL)))
        y += 14
    for line in scene.code:
        parts.append(text_svg(line, left, y + 12, "small code start"))
        y += 15
    return parts, y + 8


def wrap_notes(notes, width, size=SMALL):
    """The notes cut into lines that fit."""
    for note in notes:
        yield from wrap_text(note, width, size)
