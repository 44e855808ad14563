"""Frames, the repeat signs of loops, and their arcs: from the end of an iteration to the next."""

from minigrad.draw.layout.boxes import Box, text_width
from minigrad.draw.layout.nesting import (
    BARS,
    HEAD,
    LOW,
    PILL,
    PILL_HEIGHT,
    carries_one,
    pill_width,
    strip_box,
)
from minigrad.draw.look import FRAMES, SMALL
from minigrad.draw.paint.marks import num, rectangle, row_svg, strip_svg
from minigrad.draw.paint.score import way_of

OFF = 8  # the arc leaves and enters so far beside the middle of a node, where the arrows are
SHARES = (0.0, -0.15, 0.15, -0.3, 0.3)  # of an arc's length: where its words may stand


def frame_svg(frame, box):
    """One frame; a loop's has repeat signs at both ends, as in a score."""
    look = FRAMES[frame.kind]
    signs = "".join(repeat_signs(frame, box)) if frame.kind == "loop" else ""
    classes = f"{look.role} {frame.kind}-frame"
    strip = "".join(strip_below(frame, box)) if frame.strip else ""
    return f'<g class="frame">{rectangle(box, classes, 12)}{signs}</g>{strip}'


def strip_below(frame, box):
    """The strip of a loop, below its frame."""
    place = strip_box(frame, box)
    return strip_svg(frame.strip, place.left, place.top)


def sign_lines(frame, box):
    """The bars of a loop's repeat signs as points, thick and thin: left, then right."""
    if frame.kind != "loop":
        return []
    steps = (box.left + 5, box.left + 11, box.right - 5, box.right - 11)
    return [[(x, box.top + 16), (x, box.bottom - 16)] for x in steps]


def repeat_signs(frame, box):
    """A thick bar, a thin one and two dots at the left, and mirrored at the right."""
    for at, ((x, top), (_, bottom)) in enumerate(sign_lines(frame, box)):
        weight = ("thick", "thin")[at % 2]
        yield f'<path class="{weight} port-bar" d="M{num(x)} {num(top)} V{num(bottom)}"/>'
    for x in (box.left + 18, box.right - 18):
        for y in (box.y - 8, box.y + 8):
            spot = f'cx="{num(x)}" cy="{num(y)}" r="2.6"'
            yield f'<circle class="port-ink" {spot}/>'


def condition_svg(frame, x, y):
    """The condition of a loop in a pill that begins at x; y is the base line of its words."""
    wide = pill_width(frame)
    pill = rectangle(Box(x + wide / 2, y - 4, wide, PILL_HEIGHT), "op", PILL_HEIGHT / 2)
    return pill + "".join(row_svg(frame.condition, x + PILL, y))


def frame_words(frame, box):
    """The lines of a frame's label, shortened to its width."""
    return [fit_label(text, box.w - 8) for text in frame.lines]


def fit_label(text, width):
    """The text, shortened with an ellipsis to this width."""
    while len(text) > 1 and text_width(text, SMALL, "bold") > width:
        text = text.rstrip("…")[:-1] + "…"
    return text


class Arc:
    """The way back of one loop: below (or beside) its body; nothing where nothing is carried."""

    def __init__(self, frame, box, layout):
        self.across, self.frame = layout.across, frame
        ends, starts = (
            [layout.boxes[id] for id in ids[: frame.carry_count] if id in layout.boxes]
            for ids in (frame.ends, frame.starts)
        )
        self.there = bool(ends and starts)
        flat = (lambda one: one) if self.across else (lambda one: one.transpose())
        self.box, self.ends, self.starts = flat(box), [*map(flat, ends)], [*map(flat, starts)]
        self.left = self.box.left + (BARS if self.across else HEAD)
        self.right = self.box.right - (BARS if self.across else 9)
        self.low = self.box.bottom - (LOW if self.across else BARS + 4)
        self.below = self.there and self.across and self.is_below(layout)

    def is_below(self, layout):
        """Whether it runs below what is carried, where nothing stands in its way."""
        if not carries_one(self.frame):
            return False
        self.ends, self.starts = ([lower_half(one, layout)] for (one,) in (self.ends, self.starts))
        ends = (*self.ends, *self.starts)
        return not any(
            abs(box.x - end.x) < box.w / 2 and end.bottom < box.y < self.low
            for end in ends
            for box in layout.boxes.values()
        )

    def transpose(self, points):
        """Points of the picture, of those in a graph that runs across."""
        return points if self.across else [point[::-1] for point in points]

    def lines(self):
        """Its lines, each as points."""
        if not self.there:
            return
        left, right, low = self.left, self.right, self.low
        if self.below:
            (end,), (start,) = self.ends, self.starts
            yield [(end.x, end.bottom), (end.x, low), (start.x, low), (start.x, start.bottom + 3)]
            return
        for end in self.ends:
            yield self.transpose([(end.right, end.y + OFF), (right, end.y + OFF), (right, low)])
        for start in self.starts:
            way = (left, low), (left, start.y + OFF), (start.left, start.y + OFF)
            yield self.transpose(way)
        yield self.transpose([(right, low), (left, low)])

    def tips(self):
        """(points of the last piece) of each of its arrows."""
        heads = len(self.starts) if not self.below else 1
        lines = list(self.lines())
        lines = lines if self.below else lines[len(self.ends) :]
        return [line[-2:] for line in lines[:heads]]

    def places(self):
        """(x, y, anchor) where its words may stand, in the middle first."""
        length = self.right - self.left
        for share in SHARES:
            along = self.box.x + share * length
            if self.across:
                yield along, self.low - 5, ""
            else:
                yield self.low - 6, along, "end"


def lower_half(box, layout):
    """The box of what hangs below a card, as its adjoint does; its own where nothing does."""
    under = (one for one in layout.boxes.values() if (one.x, one.top) == (box.x, box.bottom))
    return next(under, box)


def next_line(points):
    """A line in the loop's colour."""
    return f'<path class="edge next" d="{way_of(points)}"/>'
