"""Words beside lines, each at the first of a few places where it covers least: numbers at
arrows, the names of frames, what stands on the arc of a loop."""

from collections import Counter, defaultdict
from functools import cached_property, partial
from html import escape
from itertools import pairwise
from typing import NamedTuple

from minigrad.draw.layout.boxes import text_width
from minigrad.draw.layout.nesting import TEXT, head_box, strip_box
from minigrad.draw.layout.paths import bezier, pieces_of, straight
from minigrad.draw.layout.routes import CROWD
from minigrad.draw.look import SIZE, SMALL
from minigrad.draw.paint.frames import Arc, condition_svg, frame_words, sign_lines
from minigrad.draw.paint.marks import chip_size, chip_svg, chip_text, num, text_svg
from minigrad.draw.read.bodies import NEXT
from minigrad.draw.scene import handle_of

CELL, STRIDE = 16, 3  # pixels: of the table of points; from one point of a line to the next
COVERED = 40  # so many points of a line count as much as a node or a word that is covered
SHORT = 22  # pixels: of an arrow that has no room for a number behind its head
HALF = SMALL * 0.36  # from the middle of a digit down to its base line
ALONG = (0.5, 0.4, 0.6, 0.3, 0.7)  # shares of a way, where its chip may stand
FINE = 24  # places on a way, where the chip of a tangent may stand
CHIPS = 16  # contributions; where there are more, they are shown where one points
BESIDE = 10  # pixels that a chip may reach beyond all cards and lines
FEW = 2  # arrows whose numbers have room beside their heads


class Spot(NamedTuple):
    """Where a text may stand: its base line starts, ends or has its middle at (x, y)."""

    x: float
    y: float
    anchor: str = ""  # "start", "end", or "" for the middle

    def translate(self, dx, dy):
        """The same spot elsewhere."""
        return self._replace(x=self.x + dx, y=self.y + dy)

    def extent(self, lines, bold=False):
        """Left, top, right and bottom of lines of text from here down."""
        width = max(text_width(line, SMALL, "bold" if bold else "sans") for line in lines)
        left = self.x - {"start": 0, "end": width}.get(self.anchor, width / 2)
        return left, self.y - 8, left + width, self.y + TEXT * (len(lines) - 1) + 1


class Ground:
    """What a picture shows already: lines as points, nodes and words as boxes."""

    def __init__(self, scene, layout, ways):
        self.cells = defaultdict(list)
        boxes = (layout.boxes[node.id] for node in scene.nodes)
        self.boxes = [(box.left, box.top, box.right, box.bottom) for box in boxes]
        for way in ways if len(ways) <= CROWD else ():
            self.add(way.points)
            self.add(straight(way.points[-1], way.tip))
        for frame, box in layout.frames:
            for line in (*Arc(frame, box, layout).lines(), *sign_lines(frame, box)):
                for pair in pairwise(line):
                    self.add(straight(*pair))

    def add(self, points):
        """Cubic curves, as points along them."""
        for x, y in points_along(points):
            self.cells[x // CELL, y // CELL].append((x, y))

    def cost(self, extent):
        """How much words of that extent would cover."""
        left, top, right, bottom = extent
        columns = range(int((left - 1) // CELL), int((right + 1) // CELL) + 1)
        rows = range(int((top - 1) // CELL), int((bottom + 1) // CELL) + 1)
        near = (self.cells.get((x, y), ()) for x in columns for y in rows)
        covered = count_inside(extent, (point for some in near for point in some))
        over = (
            left < x1 and x0 < right and top < y1 and y0 < bottom for x0, y0, x1, y1 in self.boxes
        )
        return covered + COVERED * sum(over)

    def take(self, extent):
        """Notes that words stand there."""
        self.boxes.append(extent)

    def choose(self, lines, spots, bold=False):
        """The spot where these lines cover least, the first of equal ones; it is taken."""
        best = min(spots, key=lambda spot: self.cost(spot.extent(lines, bold)))
        self.take(best.extent(lines, bold))
        return best


def chip_extent(text, place):
    """The extent of a chip with its middle at a place."""
    (wide, high), (x, y) = chip_size(text), place
    return x - wide / 2 - 2, y - high / 2 - 1, x + wide / 2 + 2, y + high / 2 + 1


def points_along(points):
    """Points along cubic curves."""
    for piece in pieces_of(points):
        (x0, y0), *_, (x1, y1) = piece
        count = max(2, int((abs(x1 - x0) + abs(y1 - y0)) / STRIDE))
        yield from (bezier(piece, (step + 0.5) / count) for step in range(count))


def count_inside(extent, points):
    """How many of some points words of that extent would cover."""
    left, top, right, bottom = extent
    return sum(left - 1 < x < right + 1 and top - 1 < y < bottom + 1 for x, y in points)


class PlacedWords:
    """The words of a picture, each with its spot."""

    def __init__(self, scene, layout, ways):
        self.scene, self.layout, self.ways = scene, layout, ways
        self.titles = [self.title(frame, box) for frame, box in layout.frames]
        arcs = [Arc(frame, box, layout) for frame, box in layout.frames]
        self.arcs = [
            self.ground.choose([NEXT], [Spot(*at) for at in arc.places()], bold=True)
            for arc in arcs
            if arc.there
        ]
        self.count = Counter(edge.target for edge in scene.edges if edge.slot)
        self.chips = self.place_chips()
        edges = (edge if at in self.chips else edge._replace(label="")
                 for at, edge in enumerate(scene.edges))  # fmt: skip
        self.scene = scene._replace(edges=tuple(edges))

    @cached_property
    def ground(self):
        """What the words may cover; most pictures have no words beside lines."""
        return Ground(self.scene, self.layout, self.ways)

    @cached_property
    def sides(self):
        """The left-most and the right-most x of a chip."""
        xs = [x for way in self.ways for x, _ in (*way.points, way.tip)]
        boxes = self.layout.boxes.values()
        left, right = min(box.left for box in boxes), max(box.right for box in boxes)
        return min(left, *xs) - BESIDE, max(right, *xs) + BESIDE

    def title(self, frame, box):
        """The spot of a frame's label: in its strip, where no arrow crosses."""
        lines = frame_words(frame, box)
        if frame.kind == "loop":
            head = head_box(frame, box)
            self.ground.take((head.left, head.top, head.right, head.bottom))
            if frame.strip:
                strip = strip_box(frame, box)
                self.ground.take((strip.left, strip.top, strip.right, strip.bottom))
            return Spot(head.left, head.y + 4, "start")
        low = box.bottom - 4 - TEXT * (len(lines) - 1)
        first = box.top + (9 if frame.kind == "scope" else 12) if self.layout.across else low
        spots = [Spot(box.left + 5, first, "start"), Spot(box.right - 5, first, "end")]
        spots += [Spot(box.left + part * box.w, first) for part in (0.5, 0.35, 0.65)]
        width = max((text_width(line, SMALL, "bold") for line in lines), default=0)
        spots = spots[: 1 if width > box.w / 2 else None]
        return self.ground.choose(lines, spots, bold=True) if lines else spots[0]

    def labels(self):
        """The labels of all edges: chips, and the numbers of operands."""
        quiet = ' visibility="hidden"' if len(self.chips) > CHIPS else ""
        for at, (x, y) in self.chips.items():
            edge = self.scene.edges[at]
            kind = edge.kind if edge.kind in ("adjoint", "tangent") else "data"
            ends = f'class="chip" data-from="{edge.source}" data-to="{edge.target}"'
            yield f"<g {ends}{quiet}>{chip_svg(chip_text(edge), x, y, kind)}</g>"
        for edge, way in zip(self.scene.edges, self.ways):
            if edge.slot and not edge.label:
                number = [str(edge.slot)]
                spots = self.number_spots(way, edge.target)
                yield halo_text(*number, self.ground.choose(number, spots))

    def captions(self):
        """The words beside edges, and those above cards."""
        for edge, way in zip(self.scene.edges, self.ways):
            if edge.caption:
                yield self.caption(edge.caption, self.spots_beside(edge, way))
        for node in self.scene.nodes:
            if node.caption:
                yield self.caption(node.caption, spots_around(node, self.layout.body(node.id)))

    def caption(self, word, spots):
        """A word at the best of some spots."""
        return colour_text(word, self.ground.choose([word], list(spots)), "muted")

    def spots_beside(self, edge, way):
        """Where the caption of an edge may stand: outside the frame that one end is in."""
        homes = [self.frames_of(id) for id in (edge.source, edge.target)]
        inner = [box for path, box in homes[0] ^ homes[1]]
        points = [way.point_at(share / 24) for share in range(25)]
        outside = [at for at in points if not any(map(partial(is_inside, at), inner))] or points
        for share in ALONG:
            x, y = outside[int(share * len(outside))]
            if self.layout.across:
                yield from (Spot(x, y - 5), Spot(x, y + 13))
            else:
                yield from (Spot(x + 6, y + 4, "start"), Spot(x - 6, y + 4, "end"))

    def frames_of(self, id):
        """The (path, box) of the frames around a node."""
        scope = self.scene.node(id).scope
        pairs = ((frame.path, box) for frame, box in self.layout.frames)
        return {pair for pair in pairs if f"{scope}/".startswith(f"{pair[0]}/")}

    def place_chips(self):
        """{place of an edge: where its chip stands}: of tangents, where those of a whole sum cover
        nothing."""
        found, sums = {}, defaultdict(list)
        for at, edge in enumerate(self.scene.edges):
            if edge.label and edge.kind == "tangent":
                sums[edge.target].append(at)
            elif edge.label:
                found[at] = self.chip_spot(edge, self.ways[at])
        for places in sums.values():
            taken = len(self.ground.boxes)
            spots = [self.free_spot(self.scene.edges[at], self.ways[at]) for at in places]
            if None in spots:
                del self.ground.boxes[taken:]
            else:
                found |= zip(places, spots)
        return found

    def free_spot(self, edge, way):
        """The place on a way, near its middle, where a chip covers nothing but that; or None."""
        own = (*points_along(way.points), *points_along(straight(way.points[-1], way.tip)))
        for share in sorted((at / FINE for at in range(1, FINE)), key=lambda at: abs(at - 0.5)):
            extent = chip_extent(chip_text(edge), way.point_at(share))
            if self.ground.cost(extent) == count_inside(extent, own):
                self.ground.take(extent)
                return way.point_at(share)
        return None

    def chip_spot(self, edge, way):
        """The place on a way where a chip covers least: in the middle first. Beside the border of
        the picture it moves in."""
        text, (left, right) = chip_text(edge), self.sides
        half = chip_size(text)[0] / 2
        shares = ALONG if self.layout.across else (*ALONG, 0.2, 0.8)  # down, cards are near lines
        on_way = map(way.point_at, shares)
        places = [(min(max(x, left + half), right - half), y) for x, y in on_way]
        best = min(places, key=lambda place: self.ground.cost(chip_extent(text, place)))
        self.ground.take(chip_extent(text, best))
        return best

    def number_spots(self, way, target):
        """Where an operand's number may stand: beside the arrow's head, on the outer side first.

        Those of many arrows stand on their lines, where these are apart.
        """
        (x0, y0), (bx, by), (tx, ty) = way.points[0], way.points[-1], way.tip
        box, short = self.layout.boxes[target], abs(tx - x0) + abs(ty - y0) < SHORT
        if abs(tx - bx) < abs(ty - by):  # an arrow from above
            side = 1 if tx >= box.x else -1
            ys = [(y0 + ty) / 2 + HALF] if short else [by + 3, by - 4, by - 11, by - 18]
            return [Spot(tx + dx * side, y) for dx in (8, -8, 14) for y in ys]
        if self.count[target] > FEW:
            last = way.points[-4:]
            found = (bezier(last, part) for part in (0.55, 0.4, 0.7, 0.85, 1.0))
            return [Spot(x - 7, y + HALF) for x, y in found]
        above, below = by - 5, by + 12
        ys = (below, above) if ty > box.y else (above, below)
        xs = [(x0 + tx) / 2] if short else [bx - 2, bx - 9, bx - 14, bx - 20]
        return [Spot(x, y) for x in xs for y in ys]


def spots_around(node, box):
    """Where the caption of a card may stand: below it first, beside the arc of a loop; above it
    beside its bookmark."""
    yield Spot(box.x + 8, box.bottom + 13, "start")
    yield Spot(box.x - 8, box.bottom + 13, "end")
    if not node.saved:
        yield Spot(box.x, box.top - 5)
        yield Spot(box.x, box.top - 16)
    yield Spot(box.left, box.top - 5, "start")
    yield Spot(box.left, box.top - 16, "start")
    for y in (box.y + 4, box.y - 7, box.y + 13):
        yield Spot(box.right + 5, y, "start")
        yield Spot(box.left - 5, y, "end")
    yield Spot(box.x, box.bottom + 12)


def is_inside(point, box):
    """Whether a point is in a box."""
    return box.left < point[0] < box.right and box.top < point[1] < box.bottom


def title_of_frame(frame, box, spot):
    """The label of a frame; a page closes the frame by a click on it."""
    if frame.kind == "loop":
        return wrap_title(frame, loop_title(frame, spot))
    looks = (
        (f" {spot.anchor}{' bold' * (at == 0 and frame.kind != 'scope')}".replace("  ", " "))
        for at in range(len(frame.lines))
    )
    words = "".join(
        halo_text(text, spot.translate(0, TEXT * at), look, frame.kind)
        for at, (text, look) in enumerate(zip(frame_words(frame, box), looks))
    )
    return wrap_title(frame, words)


def wrap_title(frame, words):
    """The words of a frame as its title, which opens and closes it."""
    handle = handle_of(frame.path)
    return f'<g class="title" data-frame="{escape(handle)}">{words}</g>' if handle else words


def loop_title(frame, spot):
    """The head of a loop: how much of it is shown, and when it goes on."""
    (head,) = frame.lines
    wide = text_width(head, SIZE, "bold")
    halo, words = (
        text_svg(head, spot.x, spot.y, f"bold start {look}", wide)
        for look in ("loop-halo", "port-ink")
    )
    return (
        halo + words + (condition_svg(frame, spot.x + wide + 12, spot.y) if frame.condition else "")
    )


def halo_text(text, spot, more=None, ground=""):
    """A small text with a halo in the colour of the card, or of the ground it stands on."""
    more = f" {spot.anchor}".rstrip() if more is None else more
    halo = f"{more} {ground}-halo" if ground else f"{more} halo"
    return small_text(text, spot.x, spot.y, halo) + small_text(text, spot.x, spot.y, more)


def colour_text(text, spot, look, ground=""):
    """A small text in a colour of its own, with a halo."""
    return halo_text(text, spot, f" {look} {spot.anchor}".rstrip(), ground)


def small_text(text, x, y, more):
    """A small text at a place; `more` are other classes than that."""
    return f'<text class="small{more}" x="{num(x)}" y="{num(y)}">{escape(text)}</text>'
