"""Where everything of a memory plan stands: time to the right and addresses upwards; operations
above, in the same columns. Without Graphviz."""

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
FLAT, TALL = 15, 38  # a block that is lower has its words outside; a higher one has two rows
INSET, APART = 3, 5  # from a rim to words; between words
CROWD = 60  # columns: of more, blocks have no words beside them
REACH = 72  # how far from its block a label may stand


class Spot(NamedTuple):
    """Words of a block: the name of a column, or where `column` is None the buffer's number."""

    text: str
    column: int | None
    x: float
    y: float
    size: float


class Label(NamedTuple):
    """The words of a block; those outside have a leader, as the two ends of a line."""

    spots: tuple
    leader: tuple = ()


class Track(NamedTuple):
    """A line from one column to another, as the points where it turns; () where none is drawn."""

    source: int
    target: int
    points: tuple = ()


class Grid:
    """The places of columns and addresses of a Timetable in a picture of some width."""

    def __init__(self, table, room=ROOM):
        self.table, count = table, len(table.columns)
        wide = min(WIDEST, (room - LEFT - RIGHT) / count)
        self.column = float(int(wide)) if wide >= NAMES else round(wide - 0.05, 1)
        self.has_cards, self.has_names = wide >= CARDS, wide >= NAMES
        self.width = LEFT + self.column * count + RIGHT
        self.lanes = find_lanes(table.columns)
        self.word = WORD if self.lanes else 6
        self.tracks = self.find_tracks()
        above = max((self.depth[track] for track in self.depth), default=0)
        self.card_top = self.word + TRACK * above + 4 * bool(above)
        self.card_height = 30 if self.has_cards else 26 if self.has_names else 14
        self.signs, rows = self.place_signs()
        self.lane_bottom = self.card_top + self.card_height + 6 + SIGN * rows + 2 * bool(rows)
        self.top = self.lane_bottom + BETWEEN
        buffers = {block.number for block in table.blocks}
        self.height = min(MOST_HIGH, LOW + HIGH * len(buffers))
        self.bottom = self.top + self.height

    def x(self, column):
        """Where a column begins."""
        return LEFT + self.column * column

    def middle(self, column):
        """The middle of a column."""
        return self.x(column + 0.5)

    def y(self, address):
        """The height of an address."""
        return self.bottom - self.height * address / self.table.arena

    def box(self, start, stop, low, size):
        """The Box of some columns and addresses."""
        wide, tall = self.column * (stop - start), self.height * size / self.table.arena
        return Box(self.x(start) + wide / 2, self.y(low) - tall / 2, wide, tall)

    def block_box(self, block):
        """The Box of a block."""
        return self.box(block.start, block.stop, block.offset, block.bytes)

    def parts(self, block):
        """(column, Box) for each value that a block holds: from where it is written to the next."""
        starts = (block.start, *block.holds[1:])
        for column, start, stop in zip(block.holds, starts, (*starts[1:], block.stop)):
            yield column, self.box(start, stop, block.offset, block.bytes)

    @cached_property
    def held(self):
        """{column: (place of the block that its value lies in, its part of that)}."""
        parts = ((at, self.parts(block)) for at, block in enumerate(self.table.blocks))
        return {column: (at, box) for at, found in parts for column, box in found}

    def lane_box(self, start, stop):
        """The Box of a lane over some columns."""
        left, right, low = self.x(start) + 1, self.x(stop) - 1, self.lane_bottom
        return Box((left + right) / 2, low / 2, right - left, low)

    def card_box(self, column):
        """The Box of a card."""
        wide = min(self.column - 16, 52) if self.has_cards else max(self.column - 3, 1)
        middle = self.card_top + self.card_height / 2
        return Box(self.middle(column), middle, wide, self.card_height)

    @property
    def name_size(self):
        """The size of the names of columns."""
        return NAME if self.has_cards else TERM

    def card_name(self, column):
        """The name on a card, as far as there is room; "" where cards bear none."""
        room = self.card_box(column).w - 2 if self.has_names else 0
        return fit_name(self.table.columns[column].name, room, self.name_size)

    def ticks(self):
        """The addresses that are named: round bytes."""
        step = 1
        while step * TICKS < self.table.arena:
            step *= 2
        return range(0, self.table.arena + 1, step)

    # what stands above --------------------------------------------------------------------------

    def place_signs(self):
        """({column: (sign, its row)}, rows): as many signs as have room, in two rows at most."""
        ends, found = [0.0, 0.0], {}
        for at, column in enumerate(self.table.columns):
            text = column.sign if self.has_names else column.name
            wide = text_width(text, SMALL, "bold") if self.has_names else name_width(text, TERM)
            left, right = self.middle(at) - wide / 2, self.middle(at) + wide / 2
            rows = [row for row in (0, 1) if ends[row] + APART <= left]
            fits = wide <= 2.2 * self.column or not self.has_names
            if rows and fits and right <= self.x(len(self.table.columns)):
                found[at] = text, rows[0]
                ends[rows[0]] = right
        return found, 1 + max((row for _, row in found.values()), default=-1)

    def find_tracks(self):
        """The Tracks between columns: a line above the cards where it skips some."""
        place = {column.id: at for at, column in enumerate(self.table.columns)}
        pairs = [
            (place[id], at) for at, column in enumerate(self.table.columns) for id in column.reads
        ]
        skips = [pair for pair in pairs if pair[1] - pair[0] > 1] if self.has_cards else []
        self.depth = choose_depths(skips)
        return pairs

    def lines(self):
        """A Track for each value that a column reads; only beside cards it is drawn."""
        arrivals = {}
        for source, target in sorted(self.tracks, key=lambda pair: (pair[1], -pair[0])):
            if not self.has_cards:
                yield Track(source, target)
            elif target - source == 1:
                boxes = self.card_box(source), self.card_box(target)
                yield Track(source, target, beside(*boxes))
            else:
                nth = arrivals[target] = arrivals.get(target, -1) + 1
                yield Track(source, target, self.bridge(source, target, nth))

    def bridge(self, source, target, nth):
        """The points of a line above the cards; `nth` of those that arrive there."""
        start, end = self.middle(source) + 8, self.middle(target) - 6 - 8 * nth
        high = self.card_top - 4 - TRACK * self.depth[source, target]
        return (
            (start, self.card_top),
            (start, high),
            (end, high),
            (end, self.card_top - 2),
        )

    # the words of blocks ------------------------------------------------------------------------

    @cached_property
    def labels(self):
        """{place of a block: its Label}; first what has room inside."""
        found = {}
        for at, block in enumerate(self.table.blocks):
            spots = self.inside(block)
            if spots:
                found[at] = Label(tuple(spots))
        taken = [spot_box(spot) for label in found.values() for spot in label.spots]
        for at, block in enumerate(self.table.blocks):
            if at not in found and len(self.table.columns) <= CROWD:
                label = self.outside(block, taken)
                if label:
                    found[at] = label
                    taken += [*map(spot_box, label.spots), leader_box(label)]
        return found

    def inside(self, block):
        """The words of a block where they have room in it; else []."""
        box = self.block_box(block)
        if box.h < FLAT:
            return []
        is_tall = box.h >= TALL
        low = box.y + (9 if is_tall else 4.5)
        names = list(self.names_inside(block, low))
        if self.has_names and None in names:
            return []
        high = box.top + 14 if is_tall else low
        row = [None] * len(names) if is_tall else names  # what else stands in the number's row
        text = f"B{block.number}"
        starts = (number_start(part, name, text) for (_, part), name in zip(self.parts(block), row))
        left = next((start for start in starts if start is not None), None)
        return [] if left is None else [Spot(text, None, left, high, SMALL), *filter(None, names)]

    def names_inside(self, block, y):
        """A Spot for the name of each value, in its part of the block; None where it has no room."""
        size = self.name_size if self.block_box(block).h >= 20 else TERM
        for column, part in self.parts(block):
            text = fit_name(self.table.columns[column].name, part.w - 2 * INSET, size)
            wide = name_width(text, size)
            x = min(max(self.middle(column) - wide / 2, part.left + INSET), part.right - wide)
            yield Spot(text, column, x, y, size) if text else None

    def outside(self, block, taken):
        """The Label of a block beside it, where there is room; else None. `taken` are the Boxes of
        all words and leaders that are there."""
        own, (under, over) = self.block_box(block), self.neighbours(block)
        names = [(self.table.columns[at].name, at, 0, 0, TERM) for at in block.holds]
        words = [Spot(*word) for word in [(f"B{block.number}", None, 0, 0, SMALL), *names]]
        wide = sum(spot_box(word).w for word in words) + APART * (len(words) - 1)
        for place in sorted(self.places(own, wide), key=lambda place: cost(place, own, under)):
            if not any(straddles(place, other) for other in under):
                label = Label(write_row(words, place), leader_to(place, own))
                pairs = [(place, other) for other in (*taken, *over)]
                pairs += [(leader_box(label), other) for other in taken]
                if not any(touches(*pair, 2) for pair in pairs):
                    return label
        return None

    def neighbours(self, block):
        """The Boxes of the other blocks: of those painted before this one, and of all others."""
        found = [], []
        for other in self.table.blocks:
            if other is not block:
                found[other.holds[-1] > block.holds[0]].append(self.block_box(other))
        return found

    def places(self, own, wide):
        """Boxes near a block for words so wide, inside of the plot."""
        for away in range(12, REACH + 1, 6):
            for y in (own.top - away, own.bottom + away):
                for aside in range(0, 13):
                    x = own.left + wide / 2 + 8 * (aside - 6) + INSET
                    spot = Box(x, y, wide, 15)
                    within = self.x(0) + 2 <= spot.left and spot.right <= self.width - RIGHT - 2
                    if within and self.top + 2 <= spot.top and spot.bottom <= self.bottom - 1:
                        yield spot


def find_lanes(columns):
    """(lane, start, stop) of each run of columns of one lane; () where there are no lanes."""
    found = []
    for at, column in enumerate(columns):
        if not found or found[-1][0] != column.lane:
            found.append([column.lane, at, at])
        found[-1][2] = at + 1
    return tuple(map(tuple, found)) if columns and columns[0].lane else ()


def choose_depths(pairs):
    """{(source, target): how high its line runs}: shorter ones lower, none over another."""
    found = {}
    for pair in sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair)):
        over = [d for other, d in found.items() if other[0] < pair[1] and pair[0] < other[1]]
        found[pair] = next(depth for depth in range(1, len(over) + 2) if depth not in over)
    return found


def beside(source, target):
    """The points of a line from one card to the next."""
    return (source.right, source.y), (target.left - 2, target.y)


def fit_name(name, room, size):
    """A name, cut with an ellipsis to its room; "" where not even two letters fit."""
    while name and name_width(name, size) > room:
        name = name[:-2] + "…" if len(name) > 3 else ""
    return name


def spot_box(spot):
    """The Box that a Spot takes."""
    if spot.column is None:
        wide, high = text_width(spot.text, SMALL, "bold"), 11
    else:
        wide, high = name_width(spot.text, spot.size), 14
    return Box(spot.x + wide / 2, spot.y - 4, wide, high)


def number_start(part, name, text):
    """Where the number of a buffer begins in a part of its block, beside the name that stands there;
    None where it has no room."""
    wide = text_width(text, SMALL, "bold")
    if name is None:
        return part.left + max(2, min(6, (part.w - wide) / 2)) if wide + 4 <= part.w else None
    before, behind = part.left + INSET + 1, spot_box(name).right + APART
    if before + wide + APART <= name.x:
        return before
    return behind if behind + wide + INSET <= part.right else None


def write_row(words, place):
    """Spots side by side, in a Box."""
    found, x = [], place.left
    for word in words:
        found.append(word._replace(x=x, y=place.y + 4))
        x += spot_box(word).w + APART
    return tuple(found)


def leader_to(place, own):
    """The line from a block to its words in a Box, as two ends."""
    x = min(max(own.left + 4, place.left + 6), own.right - 2, place.right)
    is_above = place.y < own.y
    return (x, own.top if is_above else own.bottom), (x, place.bottom if is_above else place.top)


def leader_box(label):
    """The Box of the leader of a Label."""
    (x, start), (_, end) = label.leader
    return Box(x, (start + end) / 2, 1, abs(start - end))


def straddles(place, box):
    """Whether words would stand over the rim of a block."""
    inside = box.left < place.left and place.right < box.right
    return touches(place, box, 1) and not (
        inside and box.top < place.top and place.bottom < box.bottom
    )


def touches(one, other, apart=0.0):
    """Whether two boxes are less than so far apart."""
    across = abs(one.x - other.x) - (one.w + other.w) / 2
    return across < apart and abs(one.y - other.y) - (one.h + other.h) / 2 < apart


def cost(place, own, boxes):
    """How bad a place for words is: how far from their block, and what they cover."""
    aside = max(0.0, place.left - own.left, own.left - place.left - 8)
    return abs(place.y - own.y) + aside + 60 * sum(touches(place, box) for box in boxes)
