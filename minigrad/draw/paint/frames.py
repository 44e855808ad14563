"""Frames around nodes: name scopes, bodies of loops, fused groups; their room and their SVG."""

from html import escape

from minigrad.draw.layout.boxes import Box, even
from minigrad.draw.look import FRAMES, SMALL
from minigrad.draw.paint.shapes import num
from minigrad.draw.layout.widths import text_width

SPACE = 11  # from a frame to what is in it
TEXT = 13  # from one line of its label to the next
WIDEST = 280  # a frame is made as wide as its label up to here; a longer label is shortened
TURN = 22  # for the arc back to the start of a loop
OFF = 8  # the arc leaves and enters so far beside the middle of a node, where the arrows are


def framed(boxes):
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
    words = max((text_width(line, SMALL, True) for line in frame.lines), default=0)
    need = min(words, WIDEST) + 12
    width = even(max(inside.w + left + right, need))
    height = even(inside.h + above + below)
    x = inside.x + (right - left) / 2
    y = inside.bottom + below - height / 2
    return Box(round(x), round(y), width, height)


def frames_svg(layout):
    """The frames, outer ones first."""
    for frame, box in layout.frames:
        look = FRAMES[frame.kind]
        yield (
            f'<g class="frame"><rect class="{look.role} {frame.kind}-frame" x="{num(box.left)}" '
            f'y="{num(box.top)}" width="{num(box.w)}" height="{num(box.h)}" rx="6"/></g>'
        )


def labels_svg(layout):
    """The labels of all frames, above the edges."""
    for frame, box in layout.frames:
        yield from label(frame, box, layout.across)


def label(frame, box, across):
    """The lines of a frame's label, where no arrow comes in."""
    low = box.bottom - 4 - TEXT * (len(frame.lines) - 1)
    first = box.top + (9 if frame.kind == "scope" else 12) if across else low
    for at, text in enumerate(frame.lines):
        weight = " bold" if at == 0 and frame.kind != "scope" else ""
        text = fitting(text, box.w - 8)
        yield words(text, box.left + 5, first + TEXT * at, f" start{weight}", frame.kind)


def turns_svg(layout):
    """The arc of every loop from its end to its start, and its words; above the nodes."""
    for frame, box in layout.frames:
        ends = [layout.boxes[id] for id in frame.ends[: frame.carried] if id in layout.boxes]
        starts = [layout.boxes[id] for id in frame.starts[: frame.carried] if id in layout.boxes]
        if ends and starts:
            yield from turn(frame, box, ends, starts, layout.across)


def turn(frame, box, ends, starts, across):
    """From every carried value below (or beside) the body to where it enters the next turn."""
    if not across:
        box, ends, starts = box.turned(), [e.turned() for e in ends], [s.turned() for s in starts]
    label = 0 if across else TEXT * len(frame.lines)  # stands where the flow leaves the frame
    left, right, low = box.left + 9, box.right - 9 - label, box.bottom - 10
    for end in ends:
        y = end.y + OFF
        yield line(across, (end.right, y), (right - 6, y), (right, y), (right, y + 6), (right, low))
    for start in starts:
        y = start.y + OFF
        way = (left, low), (left, y + 6), (left, y), (left + 6, y), (start.left - 7, y)
        yield line(across, *way)
        yield head(across, start.left, y)
    yield line(across, (right, low), (left, low))
    if across:
        yield words(frame.turn, box.x, low - 4)
    else:
        yield words(frame.turn, low - 5, box.x, " end")


def line(across, *points):
    """A line in the loop's colour; of five points the third is a rounded corner's."""
    points = [num(a) + " " + num(b) for a, b in (points if across else [p[::-1] for p in points])]
    if len(points) == 2:
        return f'<path class="edge turn" d="M{points[0]} L{points[1]}"/>'
    start, before, corner, after, end = points
    return f'<path class="edge turn" d="M{start} L{before} Q{corner} {after} L{end}"/>'


def head(across, x, y):
    """An arrow's head whose tip is at this place."""
    corners = [(x, y), (x - 7, y - 3.5), (x - 7, y + 3.5)]
    points = " ".join(
        f"{num(a)},{num(b)}" for a, b in (corners if across else [p[::-1] for p in corners])
    )
    return f'<polygon class="tip turn" points="{points}"/>'


def words(text, x, y, more="", ground=""):
    """A small text with a halo in the colour of the card, or of the ground it stands on."""
    place = f'x="{num(x)}" y="{num(y)}"'
    halo = f"{ground}-halo" if ground else "halo"
    return (
        f'<text class="small{more} {halo}" {place}>{escape(text)}</text>'
        f'<text class="small{more}" {place}>{escape(text)}</text>'
    )


def fitting(text, width):
    """The text, shortened with an ellipsis to this width."""
    while len(text) > 1 and text_width(text, SMALL, True) > width:
        text = text.rstrip("…")[:-1] + "…"
    return text
