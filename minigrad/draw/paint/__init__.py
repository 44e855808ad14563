"""Writing a laid-out scene as SVG: a card, a title, frames, edges, nodes, the key, the notes."""

import re
from functools import cached_property
from html import escape
from math import atan2

from minigrad.draw.layout.boxes import round_even, text_width
from minigrad.draw.layout.nesting import with_strip
from minigrad.draw.layout.routes import CROWD, routes
from minigrad.draw.layout.timetable import NARROW, ROOM, Grid
from minigrad.draw.layout.traffic import find_crossings
from minigrad.draw.look import SIZE, TITLE, style_sheet
from minigrad.draw.paint.frames import Arc, frame_svg, next_line
from minigrad.draw.paint.key import LETTER, footer, key_items, key_rows, wrap_notes
from minigrad.draw.paint.listing import row
from minigrad.draw.paint.marks import (
    HALVES,
    WHOLE,
    Place,
    edge_svg,
    node_svg,
    num,
    open_head,
    text_svg,
)
from minigrad.draw.paint.score import (
    block_frame,
    chips_svg,
    lane_svg,
    line_svg,
    place_step,
    score_card,
    stub_svg,
)
from minigrad.draw.paint.texture import squares_of
from minigrad.draw.paint.timetable import timetable_parts
from minigrad.draw.paint.upright import place_upright
from minigrad.draw.paint.words import NEXT, PlacedWords, colour_text, title_of_frame
from minigrad.draw.paint.workers import (
    message_line,
    message_pill,
    place_sharing,
    times_height,
    times_svg,
    worker_lane_svg,
)
from minigrad.draw.scene import Scene

PAD, NARROW_PAD = 16, 10  # around a graph, and around one on a narrow page
LOW = 8  # above and below lanes there
SLIM, WIDE = 270, 900  # a card is never narrower; and no wider for the sake of its key


def svg(scene, layout, alt):
    """The SVG text of a scene."""
    sheet = Sheet(scene, layout)
    words = PlacedWords(scene, layout, sheet.ways)
    under, height = footer(words.scene, PAD, sheet.room, sheet.foot)
    parts = [
        card(sheet.width, height),
        title_svg(scene),
        f'<g transform="translate({" ".join(map(num, sheet.shift))})">',
        *(frame_svg(frame, box) for frame, box in layout.frames),
        *sheet.edges(),
        *map(sheet.node, scene.nodes),
        *words.labels(),
        *words.captions(),
        *arcs_svg(layout, words),
        *(title_of_frame(*pair, spot) for pair, spot in zip(layout.frames, words.titles)),
        "</g>",
        *under,
    ]
    return document(sheet.width, height, alt, parts)


def place_in_lanes(scene, upright=False):
    """The Score of a training step, or the one `upright` for a narrow page."""
    nodes = lane_nodes(scene, upright)
    amounts = [edge for edge in scene.edges if edge.label]
    if upright:
        return place_upright(scene.step, nodes, amounts)
    return place_step(scene.step, nodes, scene.page, amounts)


def lane_nodes(scene, upright):
    """Id → node; upright, a closed loop has no room for its formula and its strip."""
    return {n.id: n._replace(formula=(), strip=None) if upright else n for n in scene.nodes}


def step_svg(scene, alt, upright=False, room=None):
    """The SVG text of a training step in lanes, or `upright` for a narrow page; all cards have room
    for the texts of the scene `room`."""
    nodes, score = lane_nodes(scene, upright), place_in_lanes(room or scene, upright)
    if not score.chips:
        scene = scene._replace(step=scene.step._replace(amounts={}))
    words = 0 if upright else words_width(scene) + 2 * PAD
    squares, high = ("", 0) if upright else squares_of(scene.step.cards, score.width)
    below = score.height + PAD
    parts = [
        *map(lane_svg, score.lanes),
        *map(block_frame, score.frames),
        *map(line_svg, score.edges),
        *(score_card(one, nodes[one.id], tip_of(nodes[one.id])) for one in score.cards),
        *map(stub_svg, score.stubs),
        *chips_svg(score.chips, scene.edges),
        squares and f'<g transform="translate(0 {num(below)})">{squares}</g>',
    ]
    size = score.width, below + high if high else score.height
    return lanes_svg(scene._replace(upright=upright), alt, size, parts, words)


def timetable_svg(scene, alt, narrow=False):
    """The SVG text of a memory plan: operations above, their buffers below, in one time."""
    table = scene.timetable
    grid = Grid(table, NARROW if narrow else ROOM)
    width = round_even(max(grid.width, text_width(scene.title, TITLE, "bold"), SLIM) + 2 * PAD)
    head, room = PAD + 30 * bool(scene.title), width - 2 * PAD
    top = head + grid.bottom + 24
    said = list(wrap_notes([table.says], room, SIZE))
    lines = (
        text_svg(line, PAD, top + 17 * at, "start", text_width(line, SIZE))
        for at, line in enumerate(said)
    )
    below = Scene(scene.mode, (), (), notes=table.notes, timetable=table)
    under, height = footer(below, PAD, room, top + 17 * len(said) - 6)
    parts = [
        card(width, height),
        title_svg(scene),
        f'<g transform="translate({PAD} {num(head)})">',
        *timetable_parts(grid),
        "</g>",
        *lines,
        *under,
    ]
    return document(width, height, alt, parts)


def workers_svg(scene, alt):
    """The SVG text of a graph in the lanes of workers."""
    nodes, said = {node.id: node for node in scene.nodes}, scene.step.said
    placed = place_sharing(scene.step, nodes)
    parts = [
        *map(worker_lane_svg, placed.lanes),
        *map(line_svg, placed.edges),
        *(message_line(one, said[one.message]) for one in placed.messages),
        *(score_card(one, nodes[one.id], tip_of(nodes[one.id])) for one in placed.cards),
        *map(stub_svg, placed.stubs),
        *(message_pill(one, said[one.message]) for one in placed.messages),
        *times_svg(scene.step.times, placed.width, placed.height),
    ]
    size = placed.width, placed.height + times_height(scene.step.times)
    return lanes_svg(scene, alt, size, parts, words_width(scene) + 2 * PAD)


def lanes_svg(scene, alt, size, parts, least):
    """The SVG text of lanes of this size, at `least` so wide, with title, key and notes."""
    pad = LOW if scene.upright else PAD
    width, head = round_even(max(size[0], least)), pad + 30 * bool(scene.title)
    under, height = footer(scene, PAD, width - 2 * PAD, head + size[1] + pad)
    shift = f'<g transform="translate({num((width - size[0]) / 2)} {num(head)})">'
    lines = [card(width, height), title_svg(scene), shift, *parts, "</g>", *under]
    return document(width, height, alt, lines)


def tip_of(node):
    """What is said of a node where one points at it."""
    return " ".join(cell for cell in row(node)[1:] if cell)


class Sheet:
    """A scene on its card: how wide it is, where the graph is, and what stands below it."""

    def __init__(self, scene, layout):
        self.scene, self.layout = scene, layout
        self.ways = routes(scene, layout)
        left, top, right, bottom = extent(scene, layout, self.ways)
        row = scene.room.stages if scene.room else [scene]
        pad = NARROW_PAD if scene.upright else PAD
        self.width = round_even(max(right - left, *map(words_width, row)) + 2 * pad)
        head = PAD + (30 if scene.title else 0)
        self.shift = ((self.width - (right - left)) / 2 - left, head - top)
        self.foot, self.room = head + (bottom - top) + PAD, self.width - 2 * PAD

    @cached_property
    def nodes(self):
        """Id → node."""
        return {node.id: node for node in self.scene.nodes}

    @cached_property
    def split_values(self):
        """The ids of the values whose derivatives are the other halves of their cards."""
        return {node.of for node in self.scene.nodes if node.of} if self.scene.halves else set()

    def place(self, node, box):
        """The Place of a node whose box is there."""
        across = self.layout.across
        is_half = self.scene.halves and node.of or node.id in self.split_values
        corners = HALVES[bool(node.of), across] if is_half else WHOLE
        return Place(box, self.layout.cards[node.id], across, corners)

    def node(self, node, box=None):
        """One node at its box, or at another one."""
        place = self.place(node, box or self.layout.boxes[node.id])
        return node_svg(node, place, tip_of(node))

    @cached_property
    def crossings(self):
        """Place of an edge → its stretches that run over other lines."""
        if len(self.ways) > CROWD:
            return {}
        sources = [edge.source for edge in self.scene.edges]
        return find_crossings(sources, [(*way.points[:-1], way.tip) for way in self.ways])

    def edge(self, at, dx=0, dy=0):
        """The edge at a place, moved by that; a parameter's is in the colour of parameters."""
        edge, way = self.scene.edges[at], self.ways[at].translate(dx, dy)
        ends = [self.nodes[id] for id in (edge.source, edge.target)]
        kind, over = edge.kind, self.crossings.get(at, ())
        if kind == "data" and ends[0].role == "variable" and not ends[0].fill:
            kind = "parameter"
        over = [[(x + dx, y + dy) for x, y in spots] for spots in over]
        return edge_svg(edge, way, kind, over, self.ground(ends))

    def ground(self, ends):
        """The kind of the frame that an edge is in, "" outside of all; None from one to another."""
        homes = [self.home(self.nodes.get(end.of, end)) for end in ends]
        if homes[0] != homes[1]:
            return None
        return homes[0].kind if homes[0] else ""

    def home(self, node):
        """The innermost frame that is drawn around a node; None outside of all."""
        frames = (frame for frame, _ in self.layout.frames)
        around = [f for f in frames if f"{node.scope}/".startswith(f"{f.path}/")]
        return max(around, key=lambda frame: len(frame.path), default=None)

    def edges(self):
        """All edges."""
        return map(self.edge, range(len(self.ways)))


def words_width(scene):
    """How wide a card must be for the words of a scene."""
    code = max(map(len, scene.code), default=0) * LETTER
    key = 0 if scene.upright else key_width(scene)
    return max(text_width(scene.title, TITLE, "bold"), code, SLIM, key)


def key_width(scene):
    """The width of the key in one row, where it is not too long for that."""
    items = list(key_items(scene))
    return next((w for w in range(SLIM, WIDE, 10) if len(key_rows(items, w)) < 2), SLIM)


def card(width, height):
    """The ground: opaque, so that text is legible on a page of either theme."""
    size = f'width="{num(width)}" height="{num(height)}"'
    return f'<rect class="card" x="0" y="0" {size} rx="8"/>'


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
    boxes = [layout.boxes[node.id] for node in scene.nodes]
    boxes += [with_strip(*pair) for pair in layout.frames]
    points = [point for way in ways for point in (*way.points, way.tip)]
    boxes += layout.whole
    points += [(box.left, box.top) for box in boxes] + [(box.right, box.bottom) for box in boxes]
    xs, ys = zip(*(points or [(0, 0)]))
    return round(min(xs)) - 4, round(min(ys)) - 10, round(max(xs)) + 6, round(max(ys)) + 6


def title_svg(scene):
    """The title line."""
    if not scene.title:
        return ""
    width = text_width(scene.title, TITLE, "bold")
    return text_svg(scene.title, PAD + 4, PAD + 12, "title bold start", width)


def arcs_svg(layout, words):
    """The arc of every loop from its end to its start, and its words; above the nodes."""
    for frame, box in layout.frames:
        arc = Arc(frame, box, layout)
        yield from map(next_line, arc.lines())
        for (ax, ay), (x, y) in arc.tips():
            yield open_head(x, y, atan2(y - ay, x - ax), "next")
    for spot in words.arcs:
        yield colour_text(NEXT, spot, "bold port-ink", "loop")
