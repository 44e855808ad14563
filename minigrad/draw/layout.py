"""Where each node of a scene stands: Graphviz places the primals, adjoints mirror them."""

from typing import NamedTuple

from minigrad.draw.boxes import Box, even, riders, sizes
from minigrad.draw.engine import centres
from minigrad.draw.look import SMALL
from minigrad.draw.widths import text_width

COLUMNS = 10  # up to so many the graph runs from left to right, then from top to bottom
GAP = 12  # between a leaf and the node it rides on
AISLE = 34  # between the forward graph and its mirror image
RANK, SIDE = 36, 18  # between columns, and between nodes of one column


class Layout(NamedTuple):
    """Boxes by node id, and whether the graph runs across (left to right) or down."""

    boxes: dict
    across: bool


def layout(scene):
    """The layout of a scene. Raises NoLayout."""
    primals = [node for node in scene.nodes if not node.of]
    edges = [edge for edge in scene.edges if edge.kind == "data"]
    ranks = columns(primals, edges)
    across = max(ranks.values(), default=0) < COLUMNS
    size, rides = sizes(scene), riders(scene)
    shares = max((text_width(edge.label, SMALL) for edge in scene.edges), default=0)
    rank = max(RANK, even(shares + 34) if shares and across else 0)
    stacks = {user: leaf for leaf, user in rides.items()}
    text = layout_dot(primals, edges, size, stacks, across, rank, spine(ranks, edges))
    boxes = unstack(centres(text, len(primals) + len(edges)), size, stacks, across)
    shadows = [node for node in scene.nodes if node.of]
    if shadows:
        reflect(boxes, shadows, across)
    return Layout(at_origin(boxes), across)


def columns(nodes, edges):
    """Node id → length of the longest path to it. Nodes come in creation order."""
    place = {node.id: at for at, node in enumerate(nodes)}
    rank = dict.fromkeys(place, 0)
    for edge in sorted(edges, key=lambda edge: place[edge.target]):
        if place[edge.source] < place[edge.target]:  # an edge back closes a cycle: skip it
            rank[edge.target] = max(rank[edge.target], rank[edge.source] + 1)
    return rank


def spine(rank, edges):
    """One longest path, as node id → the next one's id: it is kept in a straight line."""
    if not rank:
        return {}
    at = max(rank, key=rank.get)
    path = {at: None}
    while rank[at]:
        user = at
        at = next(e.source for e in edges if e.target == at and rank[e.source] == rank[at] - 1)
        path[at] = user
    return path


def layout_dot(nodes, edges, size, stacks, across, rank, path):
    """The graph for Graphviz: boxes of fixed size, a leaf and its user as one box, no text."""
    lines = [
        "digraph {",
        f"rankdir={'LR' if across else 'TB'}; nodesep={SIDE / 72:.4f}; ranksep={rank / 72:.4f}",
        'node [shape=box, fixedsize=true, label=""]; edge [arrowhead=none]',
    ]
    rides = {leaf: user for user, leaf in stacks.items()}
    fed = {edge.target for edge in edges}
    scopes = {"": []}
    for node in nodes:
        if node.id not in rides:
            width, height = stacked_size(node.id, size, stacks, across)
            line = f"{node.id} [width={width / 72:.4f}, height={height / 72:.4f}]"
            scopes.setdefault(node.scope, []).append(line)
    lines += clusters(scopes)
    for number, edge in enumerate(edges):
        if edge.source not in rides and edge.source != edge.target:
            weight = number * 13 % 17  # all differ: see heavier
            weight += heavier(edge, path, fed)
            lines.append(f"{edge.source} -> {edge.target} [weight={weight}]")
    return "\n".join([*lines, "}"])


def heavier(edge, path, fed):
    """How short and straight an edge should be: the longest path most, then ops near their users.

    The weights differ a little, so that one layout is best: of equally good ones each version of
    Graphviz picks its own.
    """
    if path.get(edge.source) == edge.target:
        return 300
    return 60 if edge.source in fed else 20


def clusters(scopes):
    """The node lines of nested scopes, inner ones inside outer ones."""
    lines, opened = [], []
    for path in sorted(scopes, key=lambda path: path.split("/") if path else []):
        parts = path.split("/") if path else []
        while opened != parts[: len(opened)]:
            opened.pop()
            lines.append("}")
        for part in parts[len(opened) :]:
            opened.append(part)
            lines.append(f"subgraph cluster_{len(lines)} {{ margin=14")
        lines += scopes[path]
    return lines + ["}"] * len(opened)


def stacked_size(id, size, stacks, across):
    """The size of a node with its rider; as much room again below keeps its centre in line."""
    width, height = size[id]
    if id not in stacks:
        return width, height
    leaf_width, leaf_height = size[stacks[id]]
    if across:
        return max(width, leaf_width), height + 2 * (leaf_height + GAP)
    return width + 2 * (leaf_width + GAP), max(height, leaf_height)


def unstack(centre, size, stacks, across):
    """Boxes of all primals, riders on top of (or left of) their users."""
    boxes = {id: Box(*centre[id], *size[id]) for id in centre}
    for user, leaf in stacks.items():
        below, (width, height) = boxes[user], size[leaf]
        shift = (below.h + height) / 2 + GAP if across else (below.w + width) / 2 + GAP
        x, y = (below.x, below.y - shift) if across else (below.x - shift, below.y)
        boxes[leaf] = Box(x, y, width, height)
    return boxes


def reflect(boxes, shadows, across):
    """Put every adjoint where its primal is reflected."""
    if across:
        axis = max(box.bottom for box in boxes.values()) + AISLE / 2
        for node in shadows:
            boxes[node.id] = boxes[node.of]._replace(y=2 * axis - boxes[node.of].y)
    else:
        axis = max(box.right for box in boxes.values()) + AISLE / 2
        for node in shadows:
            boxes[node.id] = boxes[node.of]._replace(x=2 * axis - boxes[node.of].x)


def at_origin(boxes):
    """The boxes moved so that the leftmost and the topmost edge are at 0."""
    if not boxes:
        return boxes
    left = min(box.left for box in boxes.values())
    top = min(box.top for box in boxes.values())
    return {id: box._replace(x=box.x - left, y=box.y - top) for id, box in boxes.items()}
