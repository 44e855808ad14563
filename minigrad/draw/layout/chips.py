"""Chips of a score: where the amount of a contribution stands on its line, if there is room."""

from itertools import pairwise
from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, box_of, touches

HIGH = 20  # of a chip
AFTER, BEFORE = 2, 8  # from the start of a line, or a corner, to a chip; from that to the arrow


class ScoreChip(NamedTuple):
    """The centre of the chip on the line between two cards."""

    source: str
    target: str
    x: float
    y: float

    def box(self, chips):
        """Its Box, of a width by its ends."""
        return Box(self.x, self.y, chips[self.source, self.target], HIGH)


class ChipPlacer:
    """Finds places on lines where a chip covers neither a card nor a text nor another line.

    `chips` are widths by the ends of lines; `solid` are Boxes.
    """

    def __init__(self, chips, edges, solid):
        self.chips, self.edges, self.solid = chips, edges, list(solid)

    def place(self):
        """The ScoreChips of all lines that have room for one."""
        for edge in self.edges:
            wide = self.chips.get((edge.source, edge.target))
            if wide and edge.kind in ("adjoint", "gradient"):
                yield from self.place_on(edge, wide)

    def place_on(self, edge, wide):
        """The ScoreChip of a line, where there is room."""
        others = [box_of(piece) for one in self.edges if one is not edge
                  for piece in pairwise(one.points)]  # fmt: skip
        for x, y in chip_spots(edge.points, wide):
            own = Box(x, y, wide, HIGH)
            if not any(touches(own, other) for other in (*self.solid, *others)):
                self.solid.append(own)
                yield ScoreChip(edge.source, edge.target, round(x, 1), round(y, 1))
                return


def chip_spots(points, wide):
    """Where a chip could stand on a line: in the middle of its longest piece first."""
    pieces = list(pairwise(points))
    for piece in sorted(pieces, key=lambda piece: -piece_length(piece)):
        half = (wide if piece[0][1] == piece[1][1] else HIGH) / 2
        low = AFTER + half
        high = piece_length(piece) - half - (BEFORE if piece == pieces[-1] else AFTER)
        for share in (0.5, 0.25, 0.75, 0, 1) if low <= high else ():
            at = (low + share * (high - low)) / piece_length(piece)
            yield tuple(a + at * (b - a) for a, b in zip(*piece))


def piece_length(piece):
    """The length of a straight piece along an axis."""
    return sum(abs(b - a) for a, b in zip(*piece))
