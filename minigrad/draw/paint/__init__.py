"""Writing a laid-out scene as SVG: a card, a title, frames, edges, nodes, the key, the notes."""

import re
from html import escape

from minigrad.draw.layout.boxes import round_even, text_width
from minigrad.draw.layout.routes import routes
from minigrad.draw.look import LINE, ROLES, SIZE, style_sheet
from minigrad.draw.paint.frames import Arc, frame_svg, turn_line
from minigrad.draw.paint.listing import row
from minigrad.draw.paint.shapes import LETTER, footer, num, outline_of
from minigrad.draw.paint.words import PlacedWords, halo_text, title_of_frame
from minigrad.draw.scene import with_dot

PAD = 16
NARROW = 270  # what a card shows is never narrower than this


def svg(scene, layout, alt):
    """The SVG text of a scene."""
    sheet = Sheet(scene, layout)
    words = PlacedWords(scene, layout, sheet.ways)
    under, height = footer(scene, PAD, sheet.room, sheet.foot)
    parts = [
        card(sheet.width, height),
        title_svg(scene, sheet.width),
        f'<g transform="translate({" ".join(map(num, sheet.shift))})">',
        *(frame_svg(frame, box) for frame, box in layout.frames),
        *(edge_svg(edge, way) for edge, way in zip(scene.edges, sheet.ways)),
        *(node_svg(node, layout.boxes[node.id]) for node in scene.nodes),
        *words.labels(),
        *turns_svg(layout, words),
        *(title_of_frame(*pair, spot) for pair, spot in zip(layout.frames, words.titles)),
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


def turns_svg(layout, words):
    """The arc of every loop from its end to its start, and its words; above the nodes."""
    for frame, box in layout.frames:
        arc = Arc(frame, box, layout)
        yield from map(turn_line, arc.lines())
        yield from (arrow_head("turn", corners) for corners in arc.heads())
    yield from (halo_text(*turn) for turn in words.turns)


def arrow_head(kind, corners):
    """The triangle with these corners."""
    points = " ".join(f"{num(x)},{num(y)}" for x, y in corners)
    return f'<polygon class="tip {kind}" points="{points}"/>'
