"""Writing a laid-out scene as SVG: a card, a title, frames, edges, nodes, the key, the notes."""

import re
from html import escape

from minigrad.draw.layout.boxes import round_even, text_width
from minigrad.draw.layout.nesting import TEXT
from minigrad.draw.layout.routes import routes
from minigrad.draw.look import FRAMES, LINE, ROLES, SIZE, SMALL, style_sheet
from minigrad.draw.paint.listing import row
from minigrad.draw.paint.shapes import LETTER, footer, num, outline_of, rectangle, small_text
from minigrad.draw.scene import handle_of, with_dot

PAD = 16
NARROW = 270  # what a card shows is never narrower than this
OFF = 8  # the arc leaves and enters so far beside the middle of a node, where the arrows are


def svg(scene, layout, alt):
    """The SVG text of a scene."""
    sheet = Sheet(scene, layout)
    under, height = footer(scene, PAD, sheet.room, sheet.foot)
    parts = [
        card(sheet.width, height),
        title_svg(scene, sheet.width),
        f'<g transform="translate({" ".join(map(num, sheet.shift))})">',
        *frames_svg(layout),
        *(edge_svg(edge, way) for edge, way in zip(scene.edges, sheet.ways)),
        *(node_svg(node, layout.boxes[node.id]) for node in scene.nodes),
        *edge_labels(scene.edges, sheet.ways, layout.boxes),
        *turns_svg(layout),
        *labels_svg(layout),
        "</g>",
        *under,
    ]
    return document(sheet.width, height, alt, parts)


class Sheet:
    """A scene on its card: how wide it is, where the graph is, and what stands below it."""

    def __init__(self, scene, layout):
        self.ways = routes(scene, layout)
        left, top, right, bottom = extent(scene, layout, self.ways)
        row = scene.room.stages if scene.room else [scene]
        self.width = round_even(max(right - left, *map(words_width, row)) + 2 * PAD)
        head = PAD + (24 if scene.title else 0)
        self.shift = ((self.width - (right - left)) / 2 - left, head - top)
        self.foot, self.room = head + (bottom - top) + PAD, self.width - 2 * PAD


def words_width(scene):
    """How wide a card must be for the words of a scene."""
    code = max(map(len, scene.code), default=0) * LETTER
    return max(text_width(scene.title, SIZE, True), code, NARROW)


def card(width, height):
    """The ground: opaque, so that text is legible on a page of either theme."""
    size = f'width="{num(width - 1)}" height="{num(height - 1)}"'
    return f'<rect class="card" x="0.5" y="0.5" {size} rx="8"/>'


def document(width, height, alt, parts):
    """The SVG element around its parts."""
    size = f'width="{num(width)}" height="{num(height)}"'
    body = "\n".join(filter(None, parts))
    used = {word for classes in re.findall(r'class="([^"]*)"', body) for word in classes.split()}
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {num(width)} {num(height)}" role="img" aria-label="{escape(alt)}">\n'
        f"<style>\n{style_sheet(used)}</style>\n{body}\n</svg>\n"
    )


def extent(scene, layout, ways):
    """Left, top, right and bottom of everything drawn."""
    boxes = [layout.boxes[node.id] for node in scene.nodes] + [box for _, box in layout.frames]
    points = [point for way in ways for point in (*way.points, way.tip)]
    boxes += layout.whole
    points += [(box.left, box.top) for box in boxes] + [(box.right, box.bottom) for box in boxes]
    xs, ys = zip(*(points or [(0, 0)]))
    return round(min(xs)) - 4, round(min(ys)) - 4, round(max(xs)) + 4, round(max(ys)) + 4


def title_svg(scene, width):
    """The title line."""
    if not scene.title:
        return ""
    return f'<text class="bold" x="{num(width / 2)}" y="{PAD + 8}">{escape(scene.title)}</text>'


def node_svg(node, box):
    """One node: its outline, a second one for a result, its label."""
    shape = ROLES[node.shape or node.role].shape
    extra = 4 if shape == "cylinder" else 0  # below its lid
    first = box.y + extra - (len(node.lines) - 1) * LINE / 2 + SIZE * 0.36
    lines = "".join(
        f'<text x="{num(box.x)}" y="{num(first + LINE * at)}">{"".join(map(span_svg, line))}</text>'
        for at, line in enumerate(node.lines)
    )
    tip = " ".join(cell for cell in row(node)[1:] if cell)
    ring = outline_of(shape, box._replace(w=box.w + 9, h=box.h + 9), "ring")
    ring = ring if node.mark == "ring" else ""
    return (
        f'<g id="{node.id}" class="node"{box_attribute(node)}><title>{escape(tip)}</title>'
        f"{ring}{outline_of(shape, box, node.fill or node.role, node.result)}{lines}</g>"
    )


def box_attribute(node):
    """What a page opens by a click on the node."""
    return f' data-box="{escape(node.opens)}"' if node.opens else ""


def span_svg(span):
    """One piece: bold, overlined or plain."""
    classes = " ".join(word for word in ("bold", "over", "strike") if getattr(span, word))
    text = escape(with_dot(span.text) if span.dot else span.text)
    return f'<tspan class="{classes}">{text}</tspan>' if classes else text


def edge_svg(edge, way):
    """One edge: its line and its arrow's head; a dot where a saved value is taken."""
    (x, y), *rest = way.points
    path = f"M{num(x)} {num(y)} C" + " ".join(f"{num(x)} {num(y)}" for x, y in rest)
    dot = f'<circle class="tip saved" cx="{num(x)}" cy="{num(y)}" r="2.5"/>'
    core = f'<path class="core" d="{path}"/>' if edge.kind == "inplace" else ""
    return (
        f'<g data-from="{edge.source}" data-to="{edge.target}">'
        f'<path class="edge {edge.kind}" d="{path}"/>{core}{edge_head(edge, way)}'
        f"{dot if edge.kind == 'saved' else ''}</g>"
    )


def edge_head(edge, way):
    """The arrow's head."""
    (bx, by), (tx, ty) = way.points[-1], way.tip
    dx, dy = (tx - bx) * 0.5, (ty - by) * 0.5
    return arrow_head(edge.kind, [(tx, ty), (bx - dy, by + dx), (bx + dy, by - dx)])


def arrow_head(kind, corners):
    """The triangle with these corners."""
    points = " ".join(f"{num(x)},{num(y)}" for x, y in corners)
    return f'<polygon class="tip {kind}" points="{points}"/>'


def edge_labels(edges, ways, boxes):
    """The labels of all edges; of three arrows or more, only the outer ones have room beside."""
    heights = {}
    for edge, way in zip(edges, ways):
        if edge.slot:
            heights.setdefault(edge.target, []).append(way.tip[1])
    for edge, way in zip(edges, ways):
        beside = heights.get(edge.target, [way.tip[1]])
        inner = min(beside) < way.tip[1] < max(beside)
        yield label_svg(edge, way, boxes[edge.target], inner)


def label_svg(edge, way, target, inner):
    """A share of an adjoint in the middle of its edge; an operand's number at the arrow's head.

    The number of an `inner` arrow stands behind its head, on the line.
    """
    if edge.label:
        x, y = way.middle()
        share = halo_text(edge.label, x, y + SMALL * 0.36)
        return f'<g data-from="{edge.source}" data-to="{edge.target}">{share}</g>'
    if not edge.slot:
        return ""
    (bx, by), (tx, ty) = way.points[-1], way.tip
    if abs(tx - bx) < abs(ty - by):  # an arrow from above: beside it, on the outer side
        return halo_text(str(edge.slot), tx + (8 if tx >= target.x else -8), by + 3)
    if inner:
        return halo_text(str(edge.slot), bx - 7, by + SMALL * 0.36)
    return halo_text(str(edge.slot), bx - 2, by + (12 if ty > target.y else -5))


# frames -------------------------------------------------------------------------------------------


def frames_svg(layout):
    """The frames, outer ones first."""
    for frame, box in layout.frames:
        yield frame_svg(frame, box)


def frame_svg(frame, box):
    """One frame."""
    look = FRAMES[frame.kind]
    return f'<g class="frame">{rectangle(box, f"{look.role} {frame.kind}-frame", 6)}</g>'


def labels_svg(layout):
    """The labels of all frames, above the edges."""
    for frame, box in layout.frames:
        yield title_of_frame(frame, box, layout.across)


def title_of_frame(frame, box, across):
    """The label of a frame; a page closes the frame by a click on it."""
    words, handle = "".join(frame_label(frame, box, across)), handle_of(frame.path)
    return f'<g class="title" data-frame="{escape(handle)}">{words}</g>' if handle else words


def frame_label(frame, box, across):
    """The lines of a frame's label, where no arrow comes in."""
    low = box.bottom - 4 - TEXT * (len(frame.lines) - 1)
    first = box.top + (9 if frame.kind == "scope" else 12) if across else low
    for at, text in enumerate(frame.lines):
        weight = " bold" if at == 0 and frame.kind != "scope" else ""
        text = fit_label(text, box.w - 8)
        yield halo_text(text, box.left + 5, first + TEXT * at, f" start{weight}", frame.kind)


def turns_svg(layout):
    """The arc of every loop from its end to its start, and its words; above the nodes."""
    for frame, box in layout.frames:
        ends = [layout.boxes[id] for id in frame.ends[: frame.carried] if id in layout.boxes]
        starts = [layout.boxes[id] for id in frame.starts[: frame.carried] if id in layout.boxes]
        if ends and starts:
            yield from turn_arc(frame, box, ends, starts, layout.across)


def turn_arc(frame, box, ends, starts, across):
    """From every carried value below (or beside) the body to where it enters the next turn."""
    if not across:
        box, ends, starts = box.turned(), [e.turned() for e in ends], [s.turned() for s in starts]
    label = 0 if across else TEXT * len(frame.lines)  # stands where the flow leaves the frame
    left, right, low = box.left + 9, box.right - 9 - label, box.bottom - 10
    for end in ends:
        y = end.y + OFF
        yield turn_line(
            across, (end.right, y), (right - 6, y), (right, y), (right, y + 6), (right, low)
        )
    for start in starts:
        y = start.y + OFF
        way = (left, low), (left, y + 6), (left, y), (left + 6, y), (start.left - 7, y)
        yield turn_line(across, *way)
        yield turn_head(across, start.left, y)
    yield turn_line(across, (right, low), (left, low))
    if across:
        yield halo_text(frame.turn, box.x, low - 4)
    else:
        yield halo_text(frame.turn, low - 5, box.x, " end")


def turn_line(across, *points):
    """A line in the loop's colour; of five points the third is a rounded corner's."""
    points = [num(a) + " " + num(b) for a, b in (points if across else [p[::-1] for p in points])]
    if len(points) == 2:
        return f'<path class="edge turn" d="M{points[0]} L{points[1]}"/>'
    start, before, corner, after, end = points
    return f'<path class="edge turn" d="M{start} L{before} Q{corner} {after} L{end}"/>'


def turn_head(across, x, y):
    """An arrow's head whose tip is at this place."""
    corners = [(x, y), (x - 7, y - 3.5), (x - 7, y + 3.5)]
    return arrow_head("turn", corners if across else [p[::-1] for p in corners])


def halo_text(text, x, y, more="", ground=""):
    """A small text with a halo in the colour of the card, or of the ground it stands on."""
    halo = f"{more} {ground}-halo" if ground else f"{more} halo"
    return small_text(text, x, y, halo) + small_text(text, x, y, more)


def fit_label(text, width):
    """The text, shortened with an ellipsis to this width."""
    while len(text) > 1 and text_width(text, SMALL, True) > width:
        text = text.rstrip("…")[:-1] + "…"
    return text
