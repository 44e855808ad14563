"""The outlines of nodes, and what stands below a drawing: the key to them, and the notes."""

from html import escape

from minigrad.draw.layout.boxes import Box, text_width
from minigrad.draw.look import EDGES, FRAMES, ROLES, SMALL

MEANINGS = {
    "last": "what the last turn leaves",
    "stack": "what all turns give, one below the other",
    "history": "what was carried into each turn",
    "Item": "one of several results",
    "handed out": "a result, in memory of its own",
}
SAMPLE, SPACE = 22, 14  # the width of a sample; the space after its word
LETTER = 0.602 * SMALL  # the width of a letter of code


def num(value):
    """A coordinate to 0.1, without a trailing .0 and without -0."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def outline_of(shape, box, role, double=False):
    """The outline; a double one for a result."""
    draw = SHAPES[shape]
    inner = box._replace(w=box.w - 6, h=box.h - 6)
    return draw(box, role) + (draw(inner, role) if double else "")


def rectangle(box, role, radius):
    """A box with corners of this radius."""
    return (
        f'<rect class="{role}" x="{num(box.left)}" y="{num(box.top)}" width="{num(box.w)}" '
        f'height="{num(box.h)}" rx="{num(radius)}"/>'
    )


def ellipse(box, role):
    """Placeholders and inputs."""
    return (
        f'<ellipse class="{role}" cx="{num(box.x)}" cy="{num(box.y)}" rx="{num(box.w / 2)}" '
        f'ry="{num(box.h / 2)}"/>'
    )


def cylinder(box, role):
    """Variables: they store."""
    left, right, lid = num(box.left), num(box.right), 4.5
    half, top, low = num(box.w / 2), num(box.top + lid), num(box.bottom - lid)
    body = f"M{left} {top} V{low} A{half} {lid} 0 0 0 {right} {low} V{top}"
    rim = f"A{half} {lid} 0 0 0 {left} {top} A{half} {lid} 0 0 0 {right} {top}"
    return f'<path class="{role}" d="{body} {rim}"/>'


def sheets(box, role):
    """Several nodes folded into one: two sheets behind the first."""
    sheets = [box._replace(x=box.x + d, y=box.y - d) for d in (3, 0)]
    return "".join(rectangle(sheet, role, 7) for sheet in sheets)


SHAPES = {
    "ellipse": ellipse,
    "cylinder": cylinder,
    "stack": sheets,
    "box": lambda box, role: rectangle(box, role, 0),
    "round": lambda box, role: rectangle(box, role, 7),
}


def key_items(scene):
    """(word, sample) for every role, border, frame and line that occurs."""
    roles = {node.role for node in scene.nodes if not node.fill}
    kinds = set() if scene.mode == "forward" else {edge.kind for edge in scene.edges} - {"gone"}
    framed = frame_kinds(scene)
    return [
        *((look.word, node_sample(look.shape, r)) for r, look in ROLES.items() if r in roles),
        *mark_items(scene.nodes),
        *((ROLES[kind].word, frame_sample(kind)) for kind in FRAMES if kind in framed),
        *((EDGES[kind].word, line_sample(kind)) for kind in EDGES if kind in kinds),
        *[("first, second operand", slot_sample())] * any(edge.slot for edge in scene.edges),
    ]


def mark_items(nodes):
    """The same for what is said of some nodes beside their role."""
    if any(node.result for node in nodes):
        yield "result", node_sample("round", "op", double=True)
    for mark, word in (("ring", "changed"), ("gone", "removed")):
        if any(node.mark == mark for node in nodes):
            yield word, node_sample("round", mark)


def frame_kinds(scene):
    """The kinds of the frames that hold a node, name scopes left out: these bear their names."""
    scopes = [f"{node.scope}/" for node in scene.nodes]
    found = (f.kind for f in scene.frames if any(s.startswith(f"{f.path}/") for s in scopes))
    return {*found} - {"scope"}


def node_sample(shape, role, double=False):
    """A small node."""
    width = 12 if shape == "box" else SAMPLE - 4
    return outline_of(shape, Box(SAMPLE / 2, 7, width, 13), role, double)


def frame_sample(kind):
    """A small frame."""
    return f'<rect class="{FRAMES[kind].role} {kind}-frame" x="2" y="1" width="18" height="12"/>'


def line_sample(kind):
    """A short line with its arrow's head."""
    dot = f'<circle class="tip {kind}" cx="2" cy="7" r="2.5"/>' if kind == "saved" else ""
    way = f"M1 7 H{SAMPLE - 7}"
    core = f'<path class="core" d="{way}"/>' if kind == "inplace" else ""
    return (
        f'{dot}<path class="edge {kind}" d="{way}"/>{core}'
        f'<polygon class="tip {kind}" points="{SAMPLE - 1},7 {SAMPLE - 7},4 {SAMPLE - 7},10"/>'
    )


def slot_sample():
    """The number at an arrow's head."""
    return line_sample("data") + small_text("1", 4, 4.5)


def explained_words(scene):
    """What words mean that are no operations of the learner's."""
    said = {node.call.partition("(")[0] for node in scene.nodes} | {
        word for node in scene.nodes for word in node.more.split(" · ")
    }
    return [f"{word}: {meaning}." for word, meaning in MEANINGS.items() if word in said]


def key_rows(items, width):
    """The items as SVG text, as many per row as fit."""
    rows, row, x = [], [], 0.0
    for word, sample in items:
        need = SAMPLE + 5 + text_width(word, SMALL) + SPACE
        if row and x + need - SPACE > width:
            rows, row, x = [*rows, "".join(row)], [], 0.0
        text = small_text(word, SAMPLE + 5, 10.6)
        row.append(f'<g transform="translate({num(x)} 0)">{sample}{text}</g>')
        x += need
    return [*rows, "".join(row)] if row else rows


def footer(scene, left, width, top):
    """The key and the notes below the picture, and the height of the whole card."""
    parts, y = [], top + 6
    for items in key_rows(key_items(scene), width):
        parts.append(f'<g transform="translate({left} {num(y)})">{items}</g>')
        y += 20
    for fill, text in scene.legend:
        text = next(wrap_notes([text], width - SAMPLE - 5))
        parts.append(
            rectangle(Box(left + 10, y + 5, 18, 11), fill, 2)
            + small_text(text, left + SAMPLE + 5, y + 8.6)
        )
        y += 15
    for note in wrap_notes([*scene.notes, *explained_words(scene)], width):
        parts.append(small_text(note, left, y + 8))
        y += 14
    for line in scene.code:
        parts.append(small_text(line, left, y + 12, " code start"))
        y += 15
    return parts, y + 8


def small_text(text, x, y, more=" start"):
    """A small text at a place, from there on; `more` are other classes than that."""
    return f'<text class="small{more}" x="{num(x)}" y="{num(y)}">{escape(text)}</text>'


def wrap_notes(notes, width):
    """The notes cut into lines that fit."""
    for note in notes:
        line = ""
        for word in note.split(" "):
            if line and text_width(f"{line} {word}", SMALL) > width:
                yield line
                line = word
            else:
                line = f"{line} {word}".strip()
        yield line
