"""Frames within frames: which nodes each one holds, cut so that no path leaves one and returns."""

from typing import NamedTuple

from minigrad.draw.layout.boxes import (
    Box,
    box_of,
    round_even,
    row_width,
    strip_size,
    text_width,
)
from minigrad.draw.look import SIZE, SMALL
from minigrad.draw.read.bodies import NEXT
from minigrad.draw.scene import Frame

SPACE = 11  # from a frame to what is in it
WIDEST = 280  # a frame is made as wide as its label up to here; a longer label is shortened
TEXT = 13  # from one line of its label to the next
HEAD, FIRST = 56, 32  # the height of a loop's head; from its left rim to the words there
BARS, ASIDE = 27, 14  # from a loop's rim to behind its repeat signs; of the arc that comes there
BELOW = 14  # from a loop down to its strip
LOW = 15  # from the lower rim of a loop up to its arc
BACK = 52  # for the arc that leads back below a loop
PILL_HEIGHT, PILL = 24, 13  # of a condition's pill, and from its ends to the words in it


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
    corners = (((box.left, box.top), (box.right, box.bottom)) for box in boxes)
    return box_of([corner for pair in corners for corner in pair])


def outer_box(frame, inside, across):
    """The frame's own box around what is in it: room for its label and its arc."""
    if frame.kind == "loop":
        (left, right, above, below), need = loop_room(frame, across), head_width(frame) + 2 * FIRST
    else:
        label = TEXT * len(frame.lines) + (0 if frame.kind == "scope" else 4)
        above, below = (max(label, SPACE), SPACE) if across else (SPACE, max(label, SPACE))
        left = right = SPACE
        words = max((text_width(line, SMALL, "bold") for line in frame.lines), default=0)
        need = min(words, WIDEST) + 12
    width = round_even(max(inside.w + left + right, need))
    height = round_even(inside.h + above + below)
    x = inside.x + (right - left) / 2
    y = inside.bottom + below - height / 2
    return Box(round(x), round(y), width, height)


def arc_box(frame, box, layout):
    """The box of the line that leads back below what is in a loop, or beside it."""
    if not layout.across:
        return Box(box.right - BARS - 4, box.y, 4, box.h - HEAD)
    ends = [layout.boxes[id].x for id in (frame.starts[0], frame.ends[0]) if id in layout.boxes]
    left, right = min(ends, default=box.left + BARS), max(ends, default=box.right - BARS)
    return Box((left + right) / 2, box.bottom - LOW, right - left, 4)


def with_strip(frame, box):
    """The box around a frame and the strip below it."""
    if frame.strip is None:
        return box
    wide, high = strip_size(frame.strip)
    return Box(
        box.x, box.y + (high + BELOW) / 2, max(box.w, round_even(wide)), box.h + high + BELOW
    )


def strip_box(frame, box):
    """The box of the strip below a frame."""
    whole, (wide, high) = with_strip(frame, box), strip_size(frame.strip)
    return Box(whole.left + wide / 2, whole.bottom - high / 2, wide, high)


def loop_room(frame, across):
    """From what is in a loop to its rim: left, right, above, below, with its signs and its arc."""
    side = BARS + SPACE
    if not across:
        return side, side + text_width(NEXT, SMALL, "bold") + ASIDE, HEAD + ASIDE, SPACE + ASIDE
    aside = 0 if carries_one(frame) else ASIDE
    below = BACK if frame.carry_count else SPACE
    return side + aside, side + aside, HEAD, below


def carries_one(frame):
    """Whether a loop carries one value and nothing else comes or goes: the arc is below it."""
    return len(frame.starts) == len(frame.ends) == frame.carry_count == 1


def head_width(frame):
    """The width of the words and the condition in the head of a loop."""
    words = sum(text_width(line, SIZE, "bold") for line in frame.lines)
    return words + (12 + pill_width(frame) if frame.condition else 0)


def head_box(frame, box):
    """The box of what stands in the head of a loop."""
    wide = head_width(frame)
    return Box(box.left + FIRST + wide / 2, box.top + 20, wide, PILL_HEIGHT)


def pill_width(frame):
    """The width of the pill around a condition."""
    return row_width(frame.condition) + 2 * PILL
