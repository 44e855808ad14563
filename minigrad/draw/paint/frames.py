"""Frames, and the arcs of loops: from the end of a turn to the start of the next."""

from minigrad.draw.layout.boxes import text_width
from minigrad.draw.layout.nesting import TEXT
from minigrad.draw.look import FRAMES, SMALL
from minigrad.draw.paint.marks import num, rectangle

OFF = 8  # the arc leaves and enters so far beside the middle of a node, where the arrows are
SHARES = (0.0, -0.15, 0.15, -0.3, 0.3)  # of an arc's length: where its words may stand


def frame_svg(frame, box):
    """One frame."""
    look = FRAMES[frame.kind]
    return f'<g class="frame">{rectangle(box, f"{look.role} {frame.kind}-frame", 12)}</g>'


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
        label = 0 if self.across else TEXT * len(frame.lines)  # where the flow leaves the frame
        self.left, self.right = self.box.left + 9, self.box.right - 9 - label
        self.low = self.box.bottom - 10

    def transpose(self, points):
        """Points of the picture, of those in a graph that runs across."""
        return points if self.across else [point[::-1] for point in points]

    def lines(self):
        """Its lines, each as points; of five points the third is a rounded corner's."""
        if not self.there:
            return
        left, right, low = self.left, self.right, self.low
        for end in self.ends:
            y = end.y + OFF
            way = (end.right, y), (right - 6, y), (right, y), (right, y + 6), (right, low)
            yield self.transpose(way)
        for start in self.starts:
            y = start.y + OFF
            way = (left, low), (left, y + 6), (left, y), (left + 6, y), (start.left, y)
            yield self.transpose(way)
        yield self.transpose([(right, low), (left, low)])

    def tips(self):
        """The tips of its arrows' heads."""
        return self.transpose([(start.left, start.y + OFF) for start in self.starts] * self.there)

    def places(self):
        """(x, y, anchor) where its words may stand, in the middle first."""
        length = self.right - self.left
        for share in SHARES:
            along = self.box.x + share * length
            if self.across:
                yield along, self.low - 4, ""
            else:
                yield self.low - 5, along, "end"


def turn_line(points):
    """A line in the loop's colour."""
    points = [num(x) + " " + num(y) for x, y in points]
    if len(points) == 2:
        return f'<path class="edge turn" d="M{points[0]} L{points[1]}"/>'
    start, before, corner, after, end = points
    return f'<path class="edge turn" d="M{start} L{before} Q{corner} {after} L{end}"/>'
