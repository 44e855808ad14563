"""Frames around nodes: name scopes, bodies of loops, fused groups; their room and their SVG."""

from html import escape

from minigrad.draw.boxes import Box, even
from minigrad.draw.look import FRAMES, SMALL
from minigrad.draw.shapes import num
from minigrad.draw.widths import text_width

SPACE = 11  # from a frame to what is in it
TEXT = 13  # from one line of its label to the next
WIDEST = 280  # a frame is made as wide as its label up to here; a longer label is shortened
TURN = 22  # for the arc back to the start of a loop


def framed(boxes):
    """The box around boxes."""
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def outer_box(frame, inside, across):
    """The frame's own box around what is in it: room for its label and its arc."""
    label = TEXT * len(frame.lines) - (2 if frame.kind == "scope" else -4)
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
            f'y="{num(box.top)}" width="{num(box.w)}" height="{num(box.h)}" rx="6"/>'
            f"{''.join(label(frame, box, layout.across))}</g>"
        )


def label(frame, box, across):
    """The lines of a frame's label, where no arrow comes in."""
    low = box.bottom - 4 - TEXT * (len(frame.lines) - 1)
    first = box.top + (9 if frame.kind == "scope" else 12) if across else low
    for at, line in enumerate(frame.lines):
        weight = " bold" if at == 0 and frame.kind != "scope" else ""
        yield (
            f'<text class="small start{weight}" x="{num(box.left + 5)}" '
            f'y="{num(first + TEXT * at)}">{escape(fitting(line, box.w - 8))}</text>'
        )


def turns_svg(layout):
    """The arc of every loop from its end to its start, and its words; above the nodes."""
    for frame, box in layout.frames:
        if frame.turn:
            yield turn(frame, box) if layout.across else turn_down(frame, box)


def turn(frame, box):
    """Below the body, from its right side to its left one."""
    left, right, low = box.left + 9, box.right - 9, box.bottom - 10
    middle = box.y
    path = (
        f"M{num(right - 8)} {num(middle)} Q{num(right)} {num(middle)} {num(right)} "
        f"{num(middle + 8)} V{num(low - 8)} Q{num(right)} {num(low)} {num(right - 8)} {num(low)} "
        f"H{num(left + 8)} Q{num(left)} {num(low)} {num(left)} {num(low - 8)} V{num(middle + 8)} "
        f"Q{num(left)} {num(middle)} {num(left + 4)} {num(middle)}"
    )
    return arc(path, (left + 11, middle), (1, 0)) + words(frame.turn, box.x, low - 4)


def turn_down(frame, box):
    """Beside the body, from its lower side to its upper one."""
    side, top, low = box.right - 10, box.top + 9, box.bottom - 15
    middle = box.x
    path = (
        f"M{num(middle)} {num(low)} H{num(side - 8)} Q{num(side)} {num(low)} {num(side)} "
        f"{num(low - 8)} V{num(top + 8)} Q{num(side)} {num(top)} {num(side - 8)} {num(top)} "
        f"H{num(middle + 8)} Q{num(middle)} {num(top)} {num(middle)} {num(top + 4)}"
    )
    text = words(frame.turn, side - 5, box.y, " end")
    return arc(path, (middle, top + 11), (0, 1)) + text


def arc(path, tip, way):
    """A line in the loop's colour with an arrow's head."""
    (x, y), (dx, dy) = tip, way
    back = (x - 7 * dx, y - 7 * dy)
    corners = [tip, (back[0] - 3.5 * dy, back[1] + 3.5 * dx), (back[0] + 3.5 * dy,
                                                              back[1] - 3.5 * dx)]
    points = " ".join(f"{num(a)},{num(b)}" for a, b in corners)
    return (
        f'<path class="edge turn" d="{path}"/><polygon class="tip turn" points="{points}"/>'
    )


def words(text, x, y, more=""):
    """A small text with a halo."""
    place = f'x="{num(x)}" y="{num(y)}"'
    return (
        f'<text class="small{more} halo" {place}>{escape(text)}</text>'
        f'<text class="small{more}" {place}>{escape(text)}</text>'
    )


def fitting(text, width):
    """The text, shortened with an ellipsis to this width."""
    while len(text) > 1 and text_width(text, SMALL, True) > width:
        text = text.rstrip("…")[:-1] + "…"
    return text
