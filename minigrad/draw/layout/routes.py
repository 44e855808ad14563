"""The curve of each edge: a straight or gently bent line that keeps off the other nodes.

Graphviz could route edges, too, but each of its versions draws them differently: routed here, a
figure is equal to the byte wherever it is made.
"""

from collections import Counter
from functools import partial
from itertools import cycle, islice
from typing import NamedTuple

from minigrad.draw.layout.boxes import ARROW, SIDE, Box
from minigrad.draw.layout.paths import (
    bezier,
    clear_paths,
    corridor_path,
    curve,
    path_length,
    straight,
)
from minigrad.draw.layout.traffic import TakenGround
from minigrad.draw.scene import FLOWS

CROWD = 600  # edges; where there are more, none can keep off the nodes
LANES = 4  # of dashed lines beside one another
TRIES = 6  # ways that are looked at for one line
TIP = 7  # length of an arrow's head
BOW = 9  # how far the lines of x * x bend apart
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
        xs, ys = zip(*self.points, self.tip)
        left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
        return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)

    def middle(self):
        """A point near the middle, where a label can stand."""
        curve = (len(self.points) - 1) // 3 // 2 * 3
        return bezier(self.points[curve : curve + 4], 0.5)


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
    primal_of = {node.id: node.of for node in scene.nodes if node.of}
    forward = forward_curves(scene, {id: flat[id] for id in flat if id not in primal_of})
    for edge, turn in zip(scene.edges, turns(scene.edges)):
        if edge.kind == "saved":
            points = saved_points(edge, flat, next(lanes))
        elif edge.kind == "same":
            source, target, *others = boxes_of((edge.source, edge.target), flat)
            points = edge_points(source, target, 0.0, 0.0, others, TakenGround(), edge.source)
        else:
            points = flow_points(edge, turn, primal_of, flat, forward)
        yield route_of(points if layout.across else [(y, x) for x, y in points])


def flow_points(edge, turn, primal_of, boxes, forward):
    """The forward curve between an edge's primals: as it is between tangents; back, and mirrored,
    between adjoints.

    `primal_of` says whose shadow a node is.
    """
    ends = [primal_of.get(id, id) for id in (edge.source, edge.target)]
    step = -1 if edge.kind == "adjoint" else 1
    points = forward[(*ends[::step], turn)][::step]
    if edge.source not in primal_of:
        return points
    if edge.kind == "tangent":
        down = boxes[edge.source].y - boxes[ends[0]].y
        return [(x, y + down) for x, y in points]
    twice = boxes[ends[0]].y + boxes[edge.source].y  # the height of the mirror
    return [(x, twice - y) for x, y in points]


def turns(edges):
    """For each edge: the how-manieth of its kind between the same two nodes."""
    seen = {}
    for edge in edges:
        key = (edge.kind in FLOWS or edge.kind, edge.source, edge.target)
        seen[key] = seen.get(key, -1) + 1
        yield seen[key]


def forward_curves(scene, boxes):
    """{(source, target, turn): points} of all edges that run on, or back beside no primals."""
    edges = scene.flows()
    back = (edge for edge in scene.edges if edge.kind == "adjoint" and edge.source in boxes)
    edges += [edge.reverse() for edge in back]
    pairs = [(edge.source, edge.target) for edge in edges]
    twins, found, traffic = Counter(pairs), {}, TakenGround()
    crowd = len(edges) > CROWD
    for pair, turn, arrival in zip(pairs, turns(edges), spread_arrivals(edges, boxes)):
        source, target, *others = boxes_of(pair, {id: boxes[id] for id in pair} if crowd else boxes)
        bow = (turn - (twins[pair] - 1) / 2) * 2 * BOW
        points = edge_points(source, target, arrival, bow, others, traffic, pair[0])
        traffic.add(pair[0], points)
        found[(*pair, turn)] = points
    return found


def boxes_of(pair, boxes):
    """The boxes of a pair of ids, then all others."""
    yield from (boxes[id] for id in pair)
    yield from (box for id, box in boxes.items() if id not in pair)


def spread_arrivals(edges, boxes):
    """Where on its target's left side each edge arrives: sorted, so that they do not cross."""
    into = {}
    for at, edge in enumerate(edges):
        if boxes[edge.source].right < boxes[edge.target].left:
            into.setdefault(edge.target, []).append(at)
    offset = [0.0] * len(edges)
    for target, arriving in into.items():
        arriving.sort(key=lambda at: (boxes[edges[at].source].y, boxes[edges[at].source].x, at))
        room = min(ARROW, boxes[target].h * SIDE / len(arriving))
        for number, at in enumerate(arriving):
            offset[at] = (number - (len(arriving) - 1) / 2) * room
    return offset


def edge_points(source, target, offset, bow, others, traffic, id):
    """The points of one edge that runs onwards, down from a rider, or back; `id` is its source's.

    Where it can, it keeps off the lines of other values.
    """
    if source.right < target.left:
        start, end = (source.right, source.y), (target.left, target.y + offset)
        clear = traffic.calmest(id, islice(clear_paths(start, end, bow, others), TRIES))
        return clear or corridor_path(start, end, others, partial(traffic.toll, id))
    if abs(source.x - target.x) < (source.w + target.w) / 2:
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
