"""The curve of each edge: a straight or gently bent line that keeps off the other nodes.

Graphviz could route edges, too, but each of its versions draws them differently: routed here, a
figure is equal to the byte wherever it is made.
"""

from collections import Counter
from functools import partial
from itertools import cycle, islice
from typing import NamedTuple

from minigrad.draw.layout.boxes import ARROW, SIDE, box_of
from minigrad.draw.layout.nesting import arc_box, head_box, strip_box
from minigrad.draw.layout.paths import (
    bezier,
    clear_paths,
    corridor_path,
    curve,
    path_length,
    pieces_of,
    straight,
)
from minigrad.draw.layout.traffic import TakenGround
from minigrad.draw.scene import FLOWS

CROWD = 600  # edges; where there are more, none can keep off the nodes
LANES = 4  # of dashed lines beside one another
TRIES = 8  # ways that are looked at for one line
TIP = 7  # length of an arrow's head
BOW = 9  # how far the lines of x * x bend apart
ASIDE = 10  # from the middle of a rider to its line, where its adjoint comes back beside that
SIDEWAYS = 80  # so much longer may a dashed line be that leaves its node below, not aside


class Route(NamedTuple):
    """Cubic curves as one list of points (start, then three per curve), and the arrow's tip."""

    points: tuple
    tip: tuple

    def translate(self, dx, dy):
        """The same curve elsewhere."""
        points = tuple((x + dx, y + dy) for x, y in self.points)
        return Route(points, (self.tip[0] + dx, self.tip[1] + dy))

    def around(self):
        """The box around all its points."""
        return box_of((*self.points, self.tip))

    def point_at(self, share):
        """The point at a share of the way, from 0 to 1: where a chip can stand."""
        pieces = list(pieces_of(self.points))
        lengths = [path_length((*piece,)) for piece in pieces]
        left = share * sum(lengths)
        for piece, length in zip(pieces, lengths):
            if left <= length:
                return bezier(piece, left / (length or 1.0))
            left -= length
        return self.points[-1]


def routes(scene, layout):
    """One Route per edge of the scene, in the same order."""
    if scene.under is None:
        return list(all_routes(scene, layout))
    found = {}
    for edge, route in zip(scene.under.edges, all_routes(scene.under, layout)):
        found.setdefault(edge, []).append(route)
    return [found[edge].pop(0) for edge in scene.edges]


def all_routes(scene, layout):
    """The routes of a scene whose nodes are all placed."""
    boxes, lanes = layout.boxes, cycle(range(LANES))
    flat = boxes if layout.across else {id: box.transpose() for id, box in boxes.items()}
    own = {node.id: node.of for node in scene.nodes if node.of}
    primal_of = {} if scene.halves else own
    there = {id: flat[id] for id in flat if id not in primal_of}
    curves = forward_curves(scene, there | words_of_loops(layout), own)
    for edge, turn in zip(scene.edges, turns(scene.edges)):
        if edge.kind == "saved":
            points = saved_points(edge, flat, next(lanes))
        elif edge.kind == "same":
            source, target, *others = boxes_of((edge.source, edge.target), flat)
            points = edge_points(source, target, others, TakenGround(), edge.source)
        else:
            points = flow_points(edge, turn, primal_of, flat, curves)
            if edge.source in primal_of:
                points = from_rim(points, flat[edge.source])
        yield route_of(points if layout.across else [(y, x) for x, y in points])


def words_of_loops(layout):
    """The boxes of the heads, the arcs and the strips of loops, along which no line runs."""
    loops = [(frame, box) for frame, box in layout.frames if frame.kind == "loop"]
    found = [(("head", frame.path), head_box(frame, box)) for frame, box in loops]
    found += [(("arc", f.path), arc_box(f, box, layout)) for f, box in loops if f.carry_count]
    found += [(("strip", f.path), strip_box(f, box)) for f, box in loops if f.strip]
    return {key: box if layout.across else box.transpose() for key, box in found}


def flow_points(edge, turn, primal_of, boxes, curves):
    """The curve of an edge; between mirrored adjoints that of their primals, back and mirrored.

    `primal_of` says whose mirrored shadow a node is.
    """
    ends = [primal_of.get(id, id) for id in (edge.source, edge.target)]
    step = -1 if edge.kind == "adjoint" else 1
    points = curves[(*ends[::step], turn)][::step]
    if edge.source not in primal_of:
        return points
    twice = boxes[ends[0]].y + boxes[edge.source].y  # the height of the mirror
    return [(x, twice - y) for x, y in points]


def from_rim(points, box):
    """The points of a way that begins at the left rim of a box: a sign reaches further."""
    (x, y), (next_x, next_y), *rest = points
    step = box.left - x
    return [(box.left, y), (next_x + step, next_y), *rest]


def turns(edges):
    """For each edge: the how-manieth of its kind between the same two nodes."""
    seen = {}
    for edge in edges:
        key = (edge.kind in FLOWS or edge.kind, edge.source, edge.target)
        seen[key] = seen.get(key, -1) + 1
        yield seen[key]


def forward_curves(scene, boxes, shadows):
    """{(source, target, turn): points} of all edges between nodes that have `boxes`, each from left
    to right: those of adjoints turned round. `shadows` says whose derivative a node is."""
    derived = ("adjoint", "tangent") if scene.halves else ("adjoint",)
    edges = scene.flows()
    for edge in scene.edges:
        if edge.kind in derived and edge.source in boxes:
            edges.append(edge.reverse() if edge.kind == "adjoint" else edge)
    pairs = [(edge.source, edge.target) for edge in edges]
    twins, found, traffic = Counter(pairs), {}, TakenGround()
    crowd, lower = len(edges) > CROWD, {of: id for id, of in shadows.items() if id in boxes}
    spread = zip(spread_ends(edges, boxes, back=True), spread_ends(edges, boxes))
    for edge, turn, (leave, arrive) in zip(edges, turns(edges), spread):
        pair = edge.source, edge.target
        source, target, *others = boxes_of(pair, {id: boxes[id] for id in pair} if crowd else boxes)
        bow = (turn - (twins[pair] - 1) / 2) * 2 * BOW
        value = edge.target if edge.kind == "adjoint" else edge.source
        if overlap(source, target):
            points = straight_down(pair, boxes, lower, shadows)
        else:
            leave = leave if edge.kind == "adjoint" else 0.0
            points = edge_points(source, target, others, traffic, value, arrive, leave, bow)
        traffic.add(value, points)
        found[(*pair, turn)] = points
    return found


def overlap(source, target):
    """Whether one box stands above the other, as a rider does."""
    return abs(source.x - target.x) < (source.w + target.w) / 2


def straight_down(pair, boxes, lower, shadows):
    """From a rider down to its user, or the way of its adjoint: beside each other where both are.

    `lower` has the lower half of each card, by its value.
    """
    values = [shadows.get(id, id) for id in pair]
    tops = [boxes[id] for id in values]
    lows = [boxes[lower.get(id, id)] for id in values]
    both = values[0] in lower
    aside = (ASIDE if pair[0] != values[0] else -ASIDE) if both else 0
    x = tops[0].x + aside
    if tops[0].y < tops[1].y:
        return straight((x, lows[0].bottom), (x, tops[1].top))
    return straight((x, tops[0].top), (x, lows[1].bottom))


def boxes_of(pair, boxes):
    """The boxes of a pair of ids, then all others."""
    yield from (boxes[id] for id in pair)
    yield from (box for id, box in boxes.items() if id not in pair)


def spread_ends(edges, boxes, back=False):
    """Where on its target's left side each edge arrives: sorted, so that they do not cross; or
    `back`, where on its source's right side it begins."""
    here, there = ("source", "target") if back else ("target", "source")
    ends = {}
    for at, edge in enumerate(edges):
        if boxes[edge.source].right < boxes[edge.target].left:
            ends.setdefault(getattr(edge, here), []).append(at)
    offset = [0.0] * len(edges)
    for id, places in ends.items():
        far = [boxes[getattr(edges[at], there)] for at in places]
        order = sorted(range(len(places)), key=lambda i: (far[i].y, far[i].x, places[i]))
        room = min(ARROW, boxes[id].h * SIDE / len(places))
        for number, i in enumerate(order):
            offset[places[i]] = (number - (len(places) - 1) / 2) * room
    return offset


def edge_points(source, target, others, traffic, id, arrive=0.0, leave=0.0, bow=0.0):
    """The points of one edge that runs onwards, or back; `id` is the value that travels on it.

    Where it can, it keeps off the lines of other values.
    """
    if source.right < target.left:
        start, end = (source.right, source.y + leave), (target.left, target.y + arrive)
        clear = traffic.calmest(id, islice(clear_paths(start, end, bow, others), TRIES))
        return clear or corridor_path(start, end, others, partial(traffic.toll, id))
    if overlap(source, target):
        down = source.y < target.y
        start = (source.x, source.bottom if down else source.top)
        end = (source.x, target.top if down else target.bottom)
        return straight(start, end)
    return back_path(source, target)


def back_path(source, target):
    """An arc over the top, for an edge that closes a cycle."""
    start, end = (source.x, source.top), (target.x, target.top)
    height = min(source.top, target.top) - 40
    return (start, (source.x, height), (target.x, height), end)


def saved_points(edge, boxes, lane):
    """Down from a primal to an adjoint, from its bottom or its sides, beside other nodes.

    `lane`, 0 to 3, keeps dashed lines apart: two on top of each other would look solid.
    """
    source, target, *others = boxes_of((edge.source, edge.target), boxes)
    others = [box.transpose() for box in others]
    aside = 0.15 * min(source.w, target.w)
    end = (target.top, target.x + aside + 8 * lane - 12)
    starts = [
        (source.bottom + 3, source.x + aside),
        (source.y, source.right + 3),
        (source.y, source.left - 3),
    ]
    paths = [next(clear_paths(start, end, 0.0, others, 4 * lane), None) for start in starts]
    cost = {path: path_length(path) + SIDEWAYS * (path is not paths[0]) for path in paths if path}
    path = min(cost, key=cost.get, default=None) or curve(starts[0], end)
    return [(x, y) for y, x in path]


def route_of(points):
    """The route along points, of which the last makes room for the arrow's head."""
    (x0, y0), (x1, y1) = next(p for p in reversed(points[:-1]) if p != points[-1]), points[-1]
    part = TIP / (((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0)
    base = (x1 - (x1 - x0) * part, y1 - (y1 - y0) * part)
    return Route((*points[:-1], base), points[-1])
