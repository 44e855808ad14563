"""Frames within frames: which nodes each one holds, cut so that no path leaves one and returns."""

from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, round_even, text_width
from minigrad.draw.look import SMALL
from minigrad.draw.scene import Frame

SPACE = 11  # from a frame to what is in it
WIDEST = 280  # a frame is made as wide as its label up to here; a longer label is shortened
TURN = 22  # for the arc back to the start of a loop
TEXT = 13  # from one line of its label to the next


class FrameTree(NamedTuple):
    """The nodes directly in a frame, and the frames in it; the whole drawing has no frame."""

    frame: Frame | None
    nodes: list
    inner: list


def frame_tree(scene, nodes, edges):
    """The FrameTree of all nodes; they come in creation order."""
    paths = {node.id: node.scope.split("/") if node.scope else [] for node in nodes}
    feeds = {node.id: [] for node in nodes}
    for edge in edges:
        feeds[edge.target].append(edge.source)

    def nest(frame, ids, depth):
        groups = pieces(ids, {id: tuple(paths[id][: depth + 1]) for id in ids}, feeds, depth)
        inner = [
            nest(scene.frame("/".join(paths[group[0]][: depth + 1])), group, depth + 1)
            for group in groups
        ]
        return FrameTree(frame, [id for id in ids if len(paths[id]) <= depth], inner)

    return nest(None, [node.id for node in nodes], 0)


def pieces(ids, keys, feeds, depth):
    """Lists of ids with equal keys; a key that a path leaves and comes back to makes two lists.

    As one frame, such a scope would be before and behind the nodes between.
    """
    owner, after, found = {}, [], {}  # id → piece, the pieces behind each, frame → pieces
    for id in ids:
        known = found.setdefault(keys[id], []) if len(keys[id]) > depth else []
        sources = {owner[source] for source in feeds[id] if source in owner}
        fit = (at for at in reversed(known) if not returns(at, sources - {at}, after))
        home = next(fit, len(after))
        if home == len(after):
            after.append(set())
            known.append(home)
        owner[id] = home
        for source in sources - {home}:
            after[source].add(home)
    framed = {home: [] for homes in found.values() for home in homes}
    for id in ids:
        if owner[id] in framed:
            framed[owner[id]].append(id)
    return list(framed.values())


def returns(home, sources, after):
    """Whether a path leads from `home` to one of the sources."""
    seen, todo = {home}, [home]
    while todo:
        for place in after[todo.pop()]:
            if place in sources:
                return True
            if place not in seen:
                seen.add(place)
                todo.append(place)
    return False


def homes(nest):
    """Node id → a number that differs from frame to frame."""
    found, todo, number = {}, [nest], 0
    while todo:
        at = todo.pop()
        found |= dict.fromkeys(at.nodes, number)
        todo += at.inner
        number += 1
    return found


def frame_around(boxes):
    """The box around boxes."""
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def outer_box(frame, inside, across):
    """The frame's own box around what is in it: room for its label and its arc."""
    label = TEXT * len(frame.lines) + (0 if frame.kind == "scope" else 4)
    above, below = (max(label, SPACE), SPACE) if across else (SPACE, max(label, SPACE))
    left = right = SPACE
    if frame.turn:
        left, right = left + TURN, right + TURN
        above, below = above + TURN * (not across), below + TURN
        right += 0 if across else text_width(frame.turn, SMALL)
    words = max((text_width(line, SMALL, "bold") for line in frame.lines), default=0)
    need = min(words, WIDEST) + 12
    width = round_even(max(inside.w + left + right, need))
    height = round_even(inside.h + above + below)
    x = inside.x + (right - left) / 2
    y = inside.bottom + below - height / 2
    return Box(round(x), round(y), width, height)
