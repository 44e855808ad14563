"""Where each node of a scene stands: Graphviz places the primals, adjoints mirror them."""

import sys
from collections import Counter, defaultdict
from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, card_of, cards_of, riders, round_even, text_width
from minigrad.draw.layout.browser import run_in_page
from minigrad.draw.layout.engine import centres, use_layout
from minigrad.draw.layout.nesting import (
    frame_around,
    frame_tree,
    homes,
    outer_box,
    with_strip,
)
from minigrad.draw.look import SIZE

PAGE = 890  # pixels of such formulas side by side
COLUMNS = 10  # up to so many the graph runs from left to right, then from top to bottom
GAP = 12  # between a leaf and the node it rides on
AISLE = 34  # between the forward graph and its mirror image
DENSE = 300  # edges, from which on Graphviz is told of the shortest ones alone
NEAREST = 2  # of them, into each node
RANK, SIDE = 36, 22  # between columns, and between nodes of one column
NARROW, BETWEEN = 330, 12  # the room for cards on a phone, beside lines; between two of a row
APART = 28  # more of it where each chip must stand apart from other lines
CHIP = 72  # of a column's gap, beside the number of a chip

if sys.platform == "emscripten":  # no process can be started there
    use_layout(run_in_page)


class Placement(NamedTuple):
    """Boxes and Cards by node id, (frame, box) pairs, and whether the graph runs across or down.

    A box holds a card with the sign on its rim. `whole` are boxes that have room in the picture,
    whether anything is drawn there or not.
    """

    boxes: dict
    cards: dict
    frames: list
    across: bool
    whole: tuple = ()

    def body(self, id):
        """The box of a card without its sign."""
        return self.cards[id].body(self.boxes[id])


def layout(scene):
    """The layout of a scene. Raises NoLayout."""
    if scene.under is not None:
        return layout(scene.under)._replace(frames=[])
    if scene.room is not None:
        return layout_in_room(scene)
    primals = [node for node in scene.nodes if not node.of]
    edges = scene.flows()
    ranks = rank_columns(primals, edges)
    across = not scene.upright and max(ranks.values(), default=0) < COLUMNS
    across = across and not is_too_wide(scene, ranks)
    tree = frame_tree(scene, primals, edges)
    cards, rides = cards_of(scene, across), riders(scene, homes(tree)) if scene.rides else {}
    size, short = whole_sizes(scene, cards, across), sparse_edges(edges, ranks)
    placer = Placer(size, rides, short, spine(ranks, short), across, column_gap(scene, across))
    boxes, frames = placer.place(tree)
    boxes = squeeze_rows(boxes) if scene.upright and not frames else boxes
    placed = Placement(boxes, cards, frames, across)
    more = place_halves(scene, placed) if scene.halves else reflections(scene, placed)
    return at_origin(placed._replace(boxes=boxes | more))


def is_too_wide(scene, ranks):
    """Whether cards with formulas of derivatives are too wide for a page, side by side."""
    if not any(node.of and node.formula for node in scene.nodes):
        return False
    widths = defaultdict(int)
    for node in scene.nodes:
        rank = ranks[node.of or node.id]
        widths[rank] = max(widths[rank], card_of(node).size[0])
    return sum(widths.values()) + RANK * (len(widths) - 1) > PAGE


def layout_in_room(scene):
    """The layout of one picture of a row: every node around the centre that it always has."""
    placed = layout(scene.room)
    cards, scopes = cards_of(scene, placed.across), {n.id: f"{n.scope}/" for n in scene.nodes}
    boxes = {id: around_body(card, placed.body(id)) for id, card in cards.items()}
    framed = {
        frame.path: {n.id for n in scene.room.nodes if f"{n.scope}/".startswith(f"{frame.path}/")}
        for frame, _ in placed.frames
    }
    there = [
        (frame, box)
        for frame, box in placed.frames
        if (own := framed[frame.path] & scopes.keys())
        and all(scopes[id].startswith(f"{frame.path}/") for id in own)
    ]
    whole = (*placed.boxes.values(), *(box for _, box in placed.frames))
    return Placement(boxes, cards, there, placed.across, whole)


def around_body(card, body):
    """The box of a card whose body is at the centre of another body."""
    w, h = card.size
    return Box(body.x - card.left / 2, body.y - card.top / 2, w, h)


def column_gap(scene, across):
    """From one column to the next: room for the chips that stand on edges."""
    chips = max((text_width(edge.label, SIZE, "bold") for edge in scene.edges), default=0)
    apart = APART if any(edge.label and edge.kind == "tangent" for edge in scene.edges) else 0
    return RANK + apart if not chips or not across else max(RANK, round_even(chips + CHIP + apart))


def whole_sizes(scene, cards, across):
    """Id → (width, height) of what Graphviz places: where derivatives are halves, of both."""
    size = {id: card.size for id, card in cards.items()}
    for node in scene.nodes if scene.halves else ():
        if node.of:
            (w, h), more = size[node.of], cards[node.id]
            size[node.of] = (w, h + more.h) if across else (w + more.w, h)
    return size


def place_halves(scene, placed):
    """The boxes of values and derivatives that share cards: above and below, or side by side."""
    found = {}
    for node in scene.nodes:
        if not node.of:
            continue
        whole, card, half = placed.boxes[node.of], placed.cards[node.of], placed.cards[node.id]
        w, h = card.size
        if placed.across:
            found[node.of] = whole._replace(y=whole.top + h / 2, h=h)
            found[node.id] = Box(
                whole.x + card.left / 2, whole.top + h + half.h / 2, card.w, half.h
            )
        else:
            found[node.of] = whole._replace(x=whole.left + w / 2, w=w)
            found[node.id] = Box(
                whole.left + w + half.w / 2, whole.y + card.top / 2, half.w, card.h
            )
    return found


class Placer:
    """Places the nodes of one frame after another, each inner frame as one box of its parent.

    Graphviz sees no frames: versions draw its clusters differently, plain graphs alike.
    """

    def __init__(self, size, rides, edges, path, across, rank):
        self.size, self.rides, self.across, self.rank = size, rides, across, rank
        self.stacks = {user: leaf for leaf, user in rides.items()}
        self.edges, self.path = list(zip(edges, weights(edges, path))), path

    def place(self, nest):
        """(boxes, frames) of all in a nest."""
        blocks = [Block(*self.place(inner), inner, self) for inner in nest.inner]
        items = {id: id for id in nest.nodes}
        items |= {id: f"f{at}" for at, block in enumerate(blocks) for id in block.boxes}
        alone = [id for id in nest.nodes if id not in self.rides]
        room = {id: stacked_size(id, self.size, self.stacks, self.across) for id in alone}
        room |= {f"f{at}": block.size for at, block in enumerate(blocks)}
        text, amount = self.dot(items, room, nest.frame)
        centre = centres(text, amount)
        boxes, frames = unstack(centre, self.size, self.stacks, self.across), []
        for at, block in enumerate(blocks):
            block.move(*centre[f"f{at}"])
            boxes |= block.boxes
            frames += [(block.frame, block.outer), *block.frames]
        return boxes, frames

    def dot(self, items, room, frame):
        """The graph for Graphviz, boxes of fixed size without text; and how much is in it."""
        lines = [
            "digraph {",
            f"rankdir={'LR' if self.across else 'TB'}; nodesep={SIDE / 72:.4f}; "
            f"ranksep={self.rank / 72:.4f}",
            'node [shape=box, fixedsize=true, label=""]; edge [arrowhead=none]',
        ]
        lines += [f"{id} [width={w / 72:.4f}, height={h / 72:.4f}]" for id, (w, h) in room.items()]
        lines += same_ranks(frame, room) if frame else []
        for edge, weight in self.edges:
            ends = items.get(edge.source), items.get(edge.target)
            if None not in ends and ends[0] != ends[1] and edge.source not in self.rides:
                lines.append(f"{ends[0]} -> {ends[1]} [weight={weight}]")
        return "\n".join([*lines, "}"]), len(lines)


def same_ranks(frame, there):
    """What tells Graphviz the first and the last column of a frame."""
    for word, ids in (("min", frame.starts), ("max", frame.ends)):
        if found := [id for id in ids if id in there]:
            yield f"{{ rank={word}; {'; '.join(found)} }}"


class Block:
    """A frame whose inside is placed: its parent moves it as one box.

    Its box reaches equally far to both sides of its straight path, so that this goes on outside.
    """

    def __init__(self, boxes, frames, nest, placer):
        self.boxes, self.frames, self.frame, self.across = boxes, frames, nest.frame, placer.across
        inside = frame_around([*boxes.values(), *(with_strip(*pair) for pair in frames)])
        self.outer = outer_box(nest.frame, inside, placer.across)
        whole = along(with_strip(nest.frame, self.outer), self.across)
        self.centre = whole.x
        straight = [along(boxes[id], self.across).y for id in boxes if id in placer.path]
        self.axis = straight[0] if straight else whole.y
        reach = round_even(2 * max(self.axis - whole.top, whole.bottom - self.axis))
        self.size = along(whole._replace(h=reach), self.across)[2:]

    def move(self, x, y):
        """Puts the centre of the block, or its straight path, at a place."""
        dx = x - (self.centre if self.across else self.axis)
        dy = y - (self.axis if self.across else self.centre)
        self.outer = self.outer.translate(dx, dy)
        self.boxes = {id: box.translate(dx, dy) for id, box in self.boxes.items()}
        self.frames = [(frame, box.translate(dx, dy)) for frame, box in self.frames]


def along(box, across):
    """The box of a graph that runs across; of one that runs down, with the axes exchanged."""
    return box if across else box.transpose()


def stacked_size(id, size, stacks, across):
    """The size of a node with its rider; as much room again below keeps its centre in line."""
    box = along(Box(0, 0, *size[id]), across)
    if id in stacks:
        leaf = along(Box(0, 0, *size[stacks[id]]), across)
        box = box._replace(w=max(box.w, leaf.w), h=box.h + 2 * (leaf.h + GAP))
    return along(box, across)[2:]


def squeeze_rows(boxes):
    """The boxes of a graph that runs down, moved to the left as far as a phone asks for."""
    rows = defaultdict(list)
    for id, box in boxes.items():
        rows[round(box.y)].append(id)
    found, start = {}, min(box.left for box in boxes.values())
    for row in rows.values():
        row.sort(key=lambda id: boxes[id].x)
        right = start + NARROW
        for id in reversed(row):
            box = boxes[id]
            found[id] = box._replace(x=min(box.x, right - box.w / 2))
            right = found[id].left - BETWEEN
        left = start
        for id in row:
            box = found[id]
            found[id] = box._replace(x=max(box.x, left + box.w / 2))
            left = found[id].right + BETWEEN
    return found


def unstack(centre, size, stacks, across):
    """Boxes of the nodes that were placed, riders on top of (or left of) their users."""
    boxes = {id: Box(*centre[id], *size[id]) for id in centre if id in size}
    for user, leaf in stacks.items():
        if user in boxes:
            below, rider = along(boxes[user], across), along(Box(0, 0, *size[leaf]), across)
            y = below.y - (below.h + rider.h) / 2 - GAP
            boxes[leaf] = along(rider._replace(x=below.x, y=y), across)
    return boxes


def reflections(scene, placed):
    """Clear of all primals, the box of each derivative: its primal's, reflected."""
    shadows, across = [node for node in scene.nodes if node.of], placed.across
    if not shadows:
        return {}
    around = [*placed.boxes.values(), *(box for _, box in placed.frames)]
    drawn = along(frame_around(around), across)
    bodies = {node.id: along(placed.body(node.of), across) for node in shadows}
    primals = frame_around(list(bodies.values()))
    below, found = drawn.bottom + AISLE, {}
    for node in shadows:
        depth = primals.bottom - bodies[node.id].y
        found[node.id] = along(bodies[node.id]._replace(y=below + depth), across)
    return found


def at_origin(placed):
    """The layout moved so that the leftmost and the topmost edge are at 0."""
    if not placed.boxes:
        return placed
    whole = frame_around([*placed.boxes.values(), *(box for _, box in placed.frames)])
    home = -whole.left, -whole.top
    boxes = {id: box.translate(*home) for id, box in placed.boxes.items()}
    return placed._replace(
        boxes=boxes, frames=[(f, box.translate(*home)) for f, box in placed.frames]
    )


def rank_columns(nodes, edges):
    """Node id → length of the longest path to it. Nodes come in creation order."""
    place = {node.id: at for at, node in enumerate(nodes)}
    rank = dict.fromkeys(place, 0)
    for edge in sorted(edges, key=lambda edge: place[edge.target]):
        if place[edge.source] < place[edge.target]:  # an edge back closes a cycle: skip it
            rank[edge.target] = max(rank[edge.target], rank[edge.source] + 1)
    return rank


def sparse_edges(edges, rank):
    """The edges that say enough of where nodes stand: of a dense graph, the shortest to and from
    each node. (A hundred long arrows to each of sixty nodes would take Graphviz minutes.)"""
    if len(edges) <= DENSE:
        return edges
    into, out = defaultdict(list), {}
    for edge in sorted(edges, key=lambda edge: rank[edge.target] - rank[edge.source]):
        into[edge.target].append(edge)
        out.setdefault(edge.source, edge)
    kept = {edge for found in into.values() for edge in found[:NEAREST]} | {*out.values()}
    return [edge for edge in edges if edge in kept]


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


def weights(edges, path):
    """How short and straight each edge should be: the longest path most, then chains of ops.

    The weights differ a little, so that one layout is best: of equally good ones each version of
    Graphviz picks its own.
    """
    fed = {edge.target for edge in edges}
    ops = Counter(edge.target for edge in edges if edge.source in fed)
    users = Counter(edge.source for edge in edges)
    for number, edge in enumerate(edges):
        if path.get(edge.source) == edge.target:
            most = 900
        elif edge.source in fed:
            most = 150 if ops[edge.target] == users[edge.source] == 1 else 60
        else:
            most = 20
        yield most + number * 13 % 17
