"""Where the columns and blocks of a memory plan stand: time to the right and addresses upwards;
operations above, in the same columns. Without Graphviz.

Columns of 56 pixels or more have cards with lines between them, from 24 pixels on cards with names
alone; narrower ones bear as many names below them as there is room for.
"""

from functools import cached_property
from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, name_width, text_width
from minigrad.draw.look import NAME, SMALL, TERM

ROOM, NARROW = 908, 358  # the width of a picture, and of one on a phone
LEFT, RIGHT = 60, 62  # beside the columns, for addresses and for the peak
WIDEST, CARDS, NAMES = 84, 56, 24  # widths of a column: at most; with cards and lines; with names
LOW, HIGH, MOST_HIGH = 60, 40, 224  # the plot: its height is LOW and HIGH for each buffer
TICKS = 6  # at most so many addresses are named
WORD, TRACK, SIGN = 22, 9, 15  # the word of a lane, a line that skips columns, a row of signs
BETWEEN = 20  # from the lanes to the plot
APART = 5  # between words
WIDE_SIGN = 2.2  # columns: what is wider has no room below a card


class Track(NamedTuple):
    """A line from one column to another, as the points where it turns; () where none is drawn."""

    source: int
    target: int
    points: tuple = ()


class Grid:
    """The places of columns and addresses of a Timetable in a picture of some width."""

    def __init__(self, table, room=ROOM):
        self.table = table
        wide = min(WIDEST, (room - LEFT - RIGHT) / len(table.columns))
        self.column = float(int(wide)) if wide >= NAMES else round(wide - 0.05, 1)
        self.has_cards, self.has_names = wide >= CARDS, wide >= NAMES
        self.lanes = find_lanes(table.columns)
        self.depths = choose_depths(self.skips()) if self.has_cards else {}
        self.signs = self.place_signs()
        above = TRACK * max(self.depths.values()) + 4 if self.depths else 0
        self.card_top = above + (WORD if self.lanes else 6)
        rows = 1 + max((row for _, row in self.signs.values()), default=-1)
        self.lane_bottom = self.card_top + self.card_height + 8 + SIGN * rows
        buffers = {block.number for block in table.blocks}
        self.height = min(MOST_HIGH, LOW + HIGH * len(buffers))

    @property
    def card_height(self):
        """The height of all cards."""
        return 30 if self.has_cards else 26 if self.has_names else 14

    @property
    def right(self):
        """Where the last column ends."""
        return self.x(len(self.table.columns))

    @property
    def width(self):
        """The width of the whole picture."""
        return self.right + RIGHT

    @property
    def top(self):
        """The upper end of the plot."""
        return self.lane_bottom + BETWEEN

    @property
    def bottom(self):
        """The height of address 0."""
        return self.top + self.height

    def x(self, column):
        """Where a column begins."""
        return LEFT + self.column * column

    def middle(self, column):
        """The middle of a column."""
        return self.x(column + 0.5)

    def y(self, address):
        """The height of an address."""
        return self.bottom - self.height * address / self.table.arena

    def ticks(self):
        """The addresses that are named: round bytes."""
        step = 1
        while step * TICKS < self.table.arena:
            step *= 2
        return range(0, self.table.arena + 1, step)

    # blocks --------------------------------------------------------------------------------------

    def box(self, block, start, stop):
        """The Box of some columns of a block."""
        wide, tall = self.column * (stop - start), self.height * block.bytes / self.table.arena
        return Box(self.x(start) + wide / 2, self.y(block.offset) - tall / 2, wide, tall)

    def block_box(self, block):
        """The Box of a block."""
        return self.box(block, block.start, block.stop)

    def parts(self, block):
        """(column, Box) for each value that a block holds: from where it is written to the next."""
        starts = (block.start, *block.holds[1:])
        for column, start, stop in zip(block.holds, starts, (*starts[1:], block.stop)):
            yield column, self.box(block, start, stop)

    @cached_property
    def homes(self):
        """{column: (place of the block that its value lies in, its part of that)}."""
        parts = ((at, self.parts(block)) for at, block in enumerate(self.table.blocks))
        return {column: (at, box) for at, found in parts for column, box in found}

    # columns -------------------------------------------------------------------------------------

    def lane_box(self, start, stop):
        """The Box of a lane over some columns."""
        left, right, low = self.x(start) + 1, self.x(stop) - 1, self.lane_bottom
        return Box((left + right) / 2, low / 2, right - left, low)

    def card_box(self, column):
        """The Box of a card."""
        wide = max(self.column - 3, 1)
        if self.has_cards:
            name = name_width(self.table.columns[column].name)
            wide = min(self.column - 16, max(52, name + 14))
        return Box(
            self.middle(column), self.card_top + self.card_height / 2, wide, self.card_height
        )

    @property
    def name_size(self):
        """The size of the names of columns."""
        return NAME if self.has_cards else TERM

    def card_name(self, column):
        """The name on a card, as far as there is room; "" where cards bear none."""
        room = self.card_box(column).w - 2 if self.has_names else 0
        return fit_name(self.table.columns[column].name, room, self.name_size)

    def place_signs(self):
        """{column: (sign, its row)}: as many signs as have room, in two rows at most; or names,
        where the cards bear none."""
        ends, found = [0.0, 0.0], {}
        for at, column in enumerate(self.table.columns):
            text = column.sign if self.has_names else column.name
            wide = text_width(text, SMALL, "bold") if self.has_names else name_width(text, TERM)
            left, right = self.middle(at) - wide / 2, self.middle(at) + wide / 2
            free = (row for row in (0, 1) if ends[row] + APART <= left)
            fits = wide <= WIDE_SIGN * self.column or not self.has_names
            row = next(free, None) if fits and right <= self.right else None
            if row is not None:
                found[at], ends[row] = (text, row), right
        return found

    # lines ---------------------------------------------------------------------------------------

    def pairs(self):
        """(source, target) for each value that a column reads."""
        place = {column.id: at for at, column in enumerate(self.table.columns)}
        for at, column in enumerate(self.table.columns):
            yield from ((place[id], at) for id in column.reads)

    def skips(self):
        """Those pairs between which other columns stand."""
        return [(source, target) for source, target in self.pairs() if target - source > 1]

    def tracks(self):
        """A Track for each value that a column reads; only beside cards it is drawn."""
        arrivals = {}
        for source, target in sorted(self.pairs(), key=lambda pair: (pair[1], -pair[0])):
            points = ()
            if target - source == 1 and self.has_cards:
                start, end = self.card_box(source), self.card_box(target)
                points = (start.right, start.y), (end.left - 2, end.y)
            elif self.has_cards:
                nth = arrivals[target] = arrivals.get(target, -1) + 1
                points = self.bridge(source, target, nth)
            yield Track(source, target, points)

    def bridge(self, source, target, nth):
        """The points of a line above the cards; `nth` of those that arrive there."""
        start, end = self.middle(source) + 8, self.middle(target) - 6 - 8 * nth
        top = self.card_top
        high = top - 4 - TRACK * self.depths[source, target]
        return (start, top), (start, high), (end, high), (end, top - 2)


def has_narrow_form(table):
    """Whether the columns of a Timetable have room for names on a narrow page."""
    return Grid(table, NARROW).has_names


def find_lanes(columns):
    """(lane, start, stop) of each run of columns of one lane; () where there are no lanes."""
    found = []
    for at, column in enumerate(columns):
        if not found or found[-1][0] != column.lane:
            found.append([column.lane, at, at])
        found[-1][2] = at + 1
    return tuple(map(tuple, found)) if columns[0].lane else ()


def choose_depths(pairs):
    """{(source, target): how high its line runs}: shorter ones lower, none over another."""
    found = {}
    for pair in sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair)):
        over = [d for other, d in found.items() if other[0] < pair[1] and pair[0] < other[1]]
        found[pair] = next(depth for depth in range(1, len(over) + 2) if depth not in over)
    return found


def fit_name(name, room, size):
    """A name, cut with an ellipsis to its room; "" where not even two letters fit."""
    while name and name_width(name, size) > room:
        name = name[:-2] + "…" if len(name) > 3 else ""
    return name
