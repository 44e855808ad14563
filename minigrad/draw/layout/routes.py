"""The curve of each edge: a straight or gently bent line that keeps off the other nodes.

Graphviz could route edges, too, but each of its versions draws them differently: routed here, a
figure is equal to the byte wherever it is made.
"""

from typing import NamedTuple

from minigrad.draw.layout.boxes import ARROW, SIDE
from minigrad.draw.layout.paths import (
    bezier,
    clear_path,
    corridor_path,
    curve,
    path_length,
    straight,
)
from minigrad.draw.look import FLOWS

TIP = 7  # length of an arrow's head
BOW = 9  # how far the lines of x * x bend apart
SIDEWAYS = 80  # so much longer may a dashed line be that leaves its node below, not aside


class Route(NamedTuple):
    """Cubic curves as one list of points (start, then three per curve), and the arrow's tip."""

    points: tuple
    tip: tuple

    def middle(self):
        """A point near the middle, where a label can stand."""
        curve = (len(self.points) - 1) // 3 // 2 * 3
        return bezier(self.points[curve : curve + 4], 0.5)


def routes(scene, layout):
    """One Route per edge of the scene, in the same order."""
    if scene.under is None:
        return all_routes(scene, layout)
    found = {}
    for edge, route in zip(scene.under.edges, all_routes(scene.under, layout)):
        found.setdefault(edge, []).append(route)
    return [found[edge].pop(0) for edge in scene.edges]


def all_routes(scene, layout):
    """The routes of a scene whose nodes are all placed."""
    boxes = layout.boxes
    flat = boxes if layout.across else {id: box.turned() for id, box in boxes.items()}
    primal_of = {node.id: node.of for node in scene.nodes if node.of}
    primal = {id: box for id, box in flat.items() if id not in primal_of}
    forward = dict(forward_routes(scene, primal))
    found, saved = [], 0
    for edge, turn in zip(scene.edges, turns(scene.edges)):
        if edge.kind == "saved":
            route = saved_route(edge, flat, saved % 4)
            saved += 1
        elif edge.kind == "adjoint" and edge.source not in primal_of:
            route = with_tip(forward[(edge.target, edge.source, turn)][::-1])
        elif edge.source in primal_of:
            route = shadow_route(edge, turn, primal_of, flat, forward)
        else:
            route = with_tip(forward[(edge.source, edge.target, turn)])
        found.append(route if layout.across else turn_route(route))
    return found


def shadow_route(edge, turn, primal_of, boxes, forward):
    """The forward edge in the mirror: an adjoint's runs back, a tangent's on."""
    ends = primal_of[edge.source], primal_of[edge.target]
    back = edge.kind == "adjoint"
    ahead = forward[(*(reversed(ends) if back else ends), turn)]
    axis = (boxes[ends[0]].y + boxes[edge.source].y) / 2
    return reflect_points(ahead, axis, back)


def turns(edges):
    """For each edge: the how-manieth of its kind between the same two nodes."""
    seen = {}
    for edge in edges:
        key = (edge.kind in FLOWS or edge.kind, edge.source, edge.target)
        seen[key] = seen.get(key, -1) + 1
        yield seen[key]


def forward_routes(scene, boxes):
    """((source, target, turn), points) for every data edge."""
    edges = [edge for edge in scene.edges if edge.kind in FLOWS]
    back = (edge for edge in scene.edges if edge.kind == "adjoint" and edge.source in boxes)
    edges += [edge.reversed() for edge in back]
    twins = {}
    for edge in edges:
        twins[edge.source, edge.target] = twins.get((edge.source, edge.target), 0) + 1
    arrivals = spread_arrivals(edges, boxes)
    for at, (edge, turn) in enumerate(zip(edges, turns(edges))):
        source, target = boxes[edge.source], boxes[edge.target]
        bow = (turn - (twins[edge.source, edge.target] - 1) / 2) * 2 * BOW
        others = [box for id, box in boxes.items() if id not in (edge.source, edge.target)]
        points = edge_points(source, target, arrivals[at], bow, others)
        yield (edge.source, edge.target, turn), points


def spread_arrivals(edges, boxes):
    """Where on its target's left side each edge arrives: sorted, so that they do not cross."""
    into = {}
    for at, edge in enumerate(edges):
        if boxes[edge.source].right < boxes[edge.target].left:
            into.setdefault(edge.target, []).append(at)
    offset = [0.0] * len(edges)
    for target, arriving in into.items():
        arriving.sort(key=lambda at: (boxes[edges[at].source].y, at))
        room = min(ARROW, boxes[target].h * SIDE / len(arriving))
        for number, at in enumerate(arriving):
            offset[at] = (number - (len(arriving) - 1) / 2) * room
    return offset


def edge_points(source, target, offset, bow, others):
    """The points of one edge that runs onwards, down from a rider, or back."""
    if source.right < target.left:
        start, end = (source.right, source.y), (target.left, target.y + offset)
        return clear_path(start, end, bow, others) or corridor_path(start, end, others)
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


def saved_route(edge, boxes, lane):
    """Down from a primal to an adjoint, from its bottom or its sides, beside other nodes.

    `lane`, 0 to 3, keeps dashed lines apart: two on top of each other would look solid.
    """
    source, target = boxes[edge.source], boxes[edge.target]
    others = [box.turned() for id, box in boxes.items() if id not in (edge.source, edge.target)]
    aside = 0.15 * min(source.w, target.w)
    end = (target.top, target.x + aside + 8 * lane - 12)
    starts = [
        (source.bottom + 3, source.x + aside),
        (source.y, source.right + 3),
        (source.y, source.left - 3),
    ]
    paths = [clear_path(start, end, 0.0, others, 4 * lane) for start in starts]
    cost = {path: path_length(path) + SIDEWAYS * (path is not paths[0]) for path in paths if path}
    path = min(cost, key=cost.get, default=None) or curve(starts[0], end)
    return with_tip(tuple((x, y) for y, x in path))


def reflect_points(points, axis, back):
    """A forward edge in the mirror, its way back or on."""
    points = tuple((x, 2 * axis - y) for x, y in points)
    return with_tip(points[::-1] if back else points)


def with_tip(points):
    """The route whose last point makes room for the arrow's head."""
    (x0, y0), (x1, y1) = next(p for p in reversed(points[:-1]) if p != points[-1]), points[-1]
    part = TIP / (((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0)
    base = (x1 - (x1 - x0) * part, y1 - (y1 - y0) * part)
    return Route((*points[:-1], base), points[-1])


def turn_route(route):
    """The route with the axes exchanged."""
    return Route(tuple((y, x) for x, y in route.points), (route.tip[1], route.tip[0]))
