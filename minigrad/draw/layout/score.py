"""The score: a training step in lanes, one above the other, with columns for its operations.

Parameters and data stand over their first user, an adjoint under its value, a gradient under its
parameter, and its update under that. What is too wide for the room goes on in the next system, as
in music. Sizes are asked for, so nothing here depends on how a card is painted.
"""

from collections import defaultdict
from typing import NamedTuple

from minigrad.draw.layout.boxes import Box, box_of, text_width
from minigrad.draw.layout.chips import BEFORE, ChipPlacer, ScoreChip
from minigrad.draw.layout.columns import CHIP_BESIDE, CORNER, STUB_BESIDE, ScoreColumns
from minigrad.draw.layout.wiring import ARC, FORK, JOIN, LINE, MARGIN, WIRE
from minigrad.draw.look import SMALL
from minigrad.draw.modes.step import LANES
from minigrad.draw.read.homes import PART

ROOM = 900  # pixels of a page for one system
BORDER, LANE_GAP, SYSTEM_GAP = 12, 4, 20  # around the lanes, between them, between systems
TITLE, PAD = 24, 10  # in a lane, above its first card and below its last
WORD = 18  # the word in the corner of a lane ends above this
ROW_GAP, STACK_GAP = 16, 8
FRAME = 9  # from the cards of an open block to the frame around it
STUB_ROOM, STUB_LENGTH = 26, 18  # above or below a card
ARC_ROOM, TRACK, REST = 17, 9, 8  # from a card to the first arc, to the next, beyond the last
NEAR = 4  # from the head of an arrow to a card
COUNT = 12  # from the corner of a card as far as the number at it reaches
CHIP_UP = 4.5  # from the baseline of a stub's name to the middle of its chip


class ScoreCard(NamedTuple):
    """A card in its place; `members` are the ids of the nodes on it, `of` is the id of the card
    whose adjoint, gradient or update it is, `same_as` that of the card with the same adjoint."""

    id: str
    kind: str
    lane: str
    system: int
    column: int
    row: int
    box: Box
    sign: str
    name: str
    shape: str
    formula: object
    members: tuple
    of: str
    same_as: str
    count: int = 1


class ScoreEdge(NamedTuple):
    """A line between two cards: "value", "parameter", "adjoint", "gradient" or "update" with an
    arrow at its end, or "axis", which joins a value and its adjoint."""

    kind: str
    source: str
    target: str
    points: tuple


class ScoreLane(NamedTuple):
    """A lane of one system; `word` is what stands in its corner."""

    lane: str
    word: str
    system: int
    box: Box


class ScoreStub(NamedTuple):
    """Where a line breaks off: the names of the values, or adjoints, that pass there.

    `names` are pairs of a name and the id of its card; `points` is the arrow, and the names stand
    at (x, y), the baseline, by their `anchor`: "start", "middle" or "end".
    """

    kind: str  # "value" | "parameter" | "adjoint", whose names have a bar
    card: str
    names: tuple
    points: tuple
    x: float
    y: float
    anchor: str

    @property
    def text(self):
        """The names in one line."""
        return ", ".join(name for name, _ in self.names)

    def start_x(self, wide):
        """Where its names, of such a width, begin."""
        return self.x - {"start": 0, "middle": 0.5, "end": 1}[self.anchor] * wide


class ScoreFrame(NamedTuple):
    """A dashed frame around the block that is open, with what it is called."""

    title: str
    box: Box


class Score(NamedTuple):
    """A training step in lanes, ready to be painted."""

    width: float
    height: float
    cards: tuple
    edges: tuple
    lanes: tuple
    stubs: tuple
    systems: tuple  # of the columns in each
    said: str
    frames: tuple = ()
    chips: tuple = ()  # of ScoreChip


def place_score(step, measure, name_width, formulas=None, room=ROOM, chips=None):
    """The Score of a CardSet.

    `measure(card)` is the CardSize of a Card, `name_width(text)` the width of a name; `formulas`
    maps ids of cards to what is handed on as their formula, and `chips` pairs of ids of adjoints
    to the width of the amount that passes from the one to the other.
    """

    def place(chips):
        columns = ScoreColumns(step, measure, name_width, chips)
        columns.settle(room)
        return ScorePage(columns, formulas or {}).score()

    return place_whole_sums(place, chips or {})


def place_whole_sums(place, chips):
    """The Score that `place` makes with the chips of sums that have room for all of theirs."""
    score = place(chips)
    whole = whole_sums(chips, score.chips)
    return score if len(whole) == len(chips) else place_whole_sums(place, whole)


def whole_sums(chips, placed):
    """The chips of those sums of which each contribution has room for its own."""
    found = {(chip.source, chip.target) for chip in placed}
    torn = {target for source, target in chips if (source, target) not in found}
    return {pair: wide for pair, wide in chips.items() if pair[1] not in torn}


# from top to bottom ------------------------------------------------------------------------------


class ScorePage:
    """The places of lanes, cards, edges and stubs, system by system."""

    def __init__(self, columns, formulas):
        self.columns, self.formulas, self.step = columns, formulas, columns.step
        self.axes, self.width = columns.axes(), columns.width()
        self.across = columns.leaf_places(self.axes)
        self.boxes, self.lanes, self.edges, self.stubs, self.chips = {}, [], [], [], []

    def score(self):
        """The Score."""
        bottom = 0
        for system in range(len(self.columns.parts)):
            bottom = self.place_system(system, bottom + (SYSTEM_GAP if system else 0))
        for way in self.columns.ways:
            self.draw_way(way)
        self.draw_stubs()
        self.draw_below()
        order = sorted(self.step.cards, key=self.reading_order)
        cards = tuple(self.score_card(card) for card in order)
        systems = tuple(map(tuple, self.columns.parts))
        parts = tuple(self.edges), tuple(self.lanes), tuple(self.stubs), systems, self.said()
        parts += tuple(self.block_frames()), (*self.chips, *self.line_chips())
        return Score(round(self.width, 1), round(bottom, 1), cards, *parts)

    def line_chips(self):
        """The ScoreChips on lines, where these have room."""
        if not self.columns.chips:
            return ()
        name_width = self.columns.name_width
        taken = taken_boxes(self.step.cards, self.boxes, self.stubs, self.lanes, name_width)
        return ChipPlacer(self.columns.chips, self.edges, taken).place()

    def reading_order(self, card):
        """Systems, then lanes, then columns."""
        return self.columns.system[card.column], LANES.index(card.lane), card.column, card.row

    def block_frames(self):
        """A ScoreFrame in each system that shows a part of the open block."""
        piles = self.step.piles
        for system, part in enumerate(self.columns.parts if piles else ()):
            columns = {c.column for c in self.step.cards if c.id in piles.open_ids} & {*part}
            lanes = [lane.box for lane in self.lanes if lane.system == system]
            if columns:
                first, last = min(columns), max(columns)
                left = self.axes[first] - self.columns.reach[first][0] - FRAME
                right = self.axes[last] + self.columns.reach[last][1] + FRAME
                top, bottom = lanes[0].top + FRAME / 2, lanes[-1].bottom - FRAME / 2
                middle = (left + right) / 2, (top + bottom) / 2
                yield ScoreFrame(piles.title, Box(*middle, right - left, bottom - top))

    def said(self):
        """What was folded, in one line."""
        shapes = len(self.step.cards)
        return f"{len(self.step.outline.values):,} nodes in {shapes:,} shapes"

    def score_card(self, card):
        """The ScoreCard of a Card."""
        ids = tuple(self.step.outline.ids[at] for at in card.members)
        place = self.columns.system[card.column], card.column, card.row, self.boxes[card.id]
        words = card.sign, card.name, card.shape, self.formulas.get(card.id), ids
        return ScoreCard(
            card.id, card.kind, card.lane, *place, *words, card.of, card.same_as, card.count
        )

    # lanes and cards

    def place_system(self, system, top):
        """Places the lanes of a system and their cards; its bottom."""
        columns = {*self.columns.parts[system]}
        cards = [card for card in self.step.cards if card.column in columns]
        for lane in LANES:
            inside = [card for card in cards if card.lane == lane]
            if inside:
                bottom = self.place_lane(lane, inside, top)
                middle, height = (top + bottom) / 2, bottom - top
                box = Box(self.width / 2, middle, self.width - 2 * BORDER, height)
                self.lanes.append(ScoreLane(lane, lane_word(lane, inside), system, box))
                top = bottom + LANE_GAP
        return top - LANE_GAP

    def place_lane(self, lane, cards, top):
        """Places the cards of a lane; its bottom."""
        if lane in ("forward", "backward"):
            return self.place_rows(cards, top, back=lane == "backward")
        stacked = {card.id for card in cards} & self.stacked_ids()
        high = max((self.size(c).height for c in cards if c.id not in stacked), default=0)
        for card in cards:
            if card.id not in stacked:
                self.put(card, self.place_across(card), top + TITLE + high / 2)
        return max(top + TITLE + high, self.place_stacks(cards, stacked, top + TITLE)) + PAD

    def stacked_ids(self):
        """The ids of cards that stand one below the other in the update lane."""
        return {card.id for column in self.columns.columns for card in self.columns.stack(column)}

    def place_stacks(self, cards, stacked, top):
        """Places cards one below the other, in each column; the lowest end."""
        ends = defaultdict(lambda: top)
        for card in cards:
            if card.id in stacked:
                height = self.size(card).height
                self.put(card, self.axes[card.column], ends[card.column] + height / 2)
                ends[card.column] += height + STACK_GAP
        return max((end - STACK_GAP for end in ends.values()), default=top)

    def place_across(self, card):
        """The x of a leaf, or of the gradient or the update of one."""
        leaf = card.of or card.id
        return self.across.get(leaf, self.axes[card.column])

    def place_rows(self, cards, top, back):
        """Places rows of values, the spine lowest, or of adjoints, the spine highest."""
        rows = sorted({card.row for card in cards}, reverse=not back)
        y = top + (TITLE if back else WORD)
        for row in rows:
            inside = [card for card in cards if card.row == row]
            high = max(self.size(card).height for card in inside)
            if not back:
                y = self.row_top(inside, y)
                y = max(y, top + TITLE) if row == rows[0] else y
            for card in inside:
                self.put(card, self.axes[card.column], y + high / 2)
            y += high + (self.stub_room(inside, back) if back else 0)
            y += 0 if row == rows[-1] else ROW_GAP
        return y + PAD

    def row_top(self, cards, y):
        """Where a row of values begins, below its signs, stubs and arcs."""
        return y + max(self.size(card).above for card in cards) + self.stub_room(cards, False)

    def stub_room(self, cards, back):
        """The room for stubs and arcs at a row of cards."""
        stubs = self.columns.stubs[back]
        room = STUB_ROOM if any(card.id in stubs for card in cards) else 0
        ids = {self.columns.value_of(card) for card in cards}
        tracks = [w.track for w in self.columns.ways if w.way == ARC and w.target in ids]
        return max(room, ARC_ROOM + TRACK * max(tracks) + REST if tracks else 0)

    def put(self, card, x, y):
        """Gives a card its box, by its centre."""
        size = self.size(card)
        self.boxes[card.id] = Box(round(x, 1), round(y, 1), size.width, size.height)

    def size(self, card):
        """The CardSize of a card."""
        return self.columns.sizes[card.id]

    # the ways of values and of their adjoints

    def draw_way(self, way):
        """The edges of a Way, or its stubs at the margins."""
        source, target = (self.columns.cards[id] for id in (way.source, way.target))
        draw = {WIRE: self.wire, LINE: self.line, ARC: self.arc, MARGIN: self.margin}
        draw |= {JOIN: self.join, FORK: self.fork}
        if way.way in draw:
            draw[way.way](source, target, way)

    def edge(self, kind, source, target, *points):
        """Adds an edge between two cards."""
        rounded = tuple((round(x, 1), round(y, 1)) for x, y in points)
        self.edges.append(ScoreEdge(kind, source.id, target.id, rounded))

    def entry(self, card):
        """The y at which an arrow from above ends at a card."""
        return self.boxes[card.id].top - self.size(card).above - NEAR

    def inlet(self, card):
        """The x at which an arrow from the left ends at a card."""
        return self.boxes[card.id].left - self.size(card).left - NEAR

    def back_of(self, *cards):
        """The cards of the adjoints of values."""
        return [self.columns.backs[card.id] for card in cards]

    def line(self, source, target, way):
        """A value along a row, and its adjoint back."""
        u, z = self.boxes[source.id], self.boxes[target.id]
        kind = "parameter" if source.kind == "variable" else "value"
        self.edge(kind, source, target, (u.right + 1, z.y), (self.inlet(target), z.y))
        if way.back:
            back, to = self.back_of(target, source)
            b, c = self.boxes[back.id], self.boxes[to.id]
            if to.kind == "gradient":
                self.edge("gradient", back, to, (b.left - 2, b.y), (c.x, b.y), (c.x, c.top - NEAR))
            else:
                self.edge("adjoint", back, to, (b.left - 2, b.y), (c.right + NEAR, b.y))

    def wire(self, source, target, way):
        """A leaf down to its user, and its gradient down from the adjoint."""
        kind = "parameter" if source.kind == "variable" else "value"
        lower = self.boxes[target.id]
        x, bend = self.landing(source, lower)
        points = self.bent(source, x, self.boxes[source.id].bottom + bend)
        self.edge(kind, source, target, *points, (x, self.entry(target)))
        if way.back:
            back, gradient = self.back_of(target, source)
            b, g = self.boxes[back.id], self.boxes[gradient.id]
            x, bend = self.landing(source, b)
            y = min(self.boxes[card.id].top for card in self.gradients_over(source)) - bend - NEAR
            ends = [(x, y), (g.x, y)] if x != g.x else []
            self.edge("gradient", back, gradient, (x, b.bottom + 2), *ends, (g.x, g.top - NEAR))

    def gradients_over(self, leaf):
        """The gradients of the leaves that stand in the column of one."""
        backs = self.columns.backs
        leaves = self.columns.leaves[leaf.column]
        return [
            backs[one.id] for one in leaves if one.id in backs and backs[one.id].id in self.boxes
        ]

    def bent(self, leaf, x, y):
        """The first points of the wire of a leaf that comes down at x, and turns at y."""
        box = self.boxes[leaf.id]
        start = (box.x, box.bottom + 2)
        return [start] if x == box.x else [start, (box.x, y), (x, y)]

    def landing(self, leaf, lower):
        """(x at which the wire of a leaf lands on a card, how far from the leaf it turns).

        Leaves side by side land side by side; the outer ones turn lower, so that no wires cross.
        """
        leaves = self.columns.leaves[leaf.column]
        x, half = self.boxes[leaf.id].x, lower.w / 2 - CORNER
        if len(leaves) == 1 or abs(x - lower.x) <= half / 2:
            return x, 0
        place = leaves.index(leaf) - (len(leaves) - 1) / 2
        step = min(12, 2 * half / len(leaves))
        return round(lower.x + place * step, 1), 6 + 4 * abs(place)

    def arc(self, source, target, way):
        """A value over the cards between, and its adjoint below theirs."""
        u, z = self.boxes[source.id], self.boxes[target.id]
        cards = self.spine_between(source, target)
        level = min(self.entry(card) for card in cards) + NEAR - ARC_ROOM - TRACK * way.track
        a, b = u.right - CORNER, z.left + CORNER
        points = (a, u.top - 2), (a, level), (b, level), (b, self.entry(target))
        self.edge("value", source, target, *points)
        if way.back:
            back, to = self.back_of(target, source)
            z, u = self.boxes[back.id], self.boxes[to.id]
            backs = [self.columns.backs[c.id] for c in cards if c.id in self.columns.backs]
            lowest = max(self.boxes[card.id].bottom for card in backs)
            level = lowest + ARC_ROOM + TRACK * way.track
            a, b = z.left + CORNER, u.right - CORNER
            points = (a, z.bottom + 2), (a, level), (b, level), (b, u.bottom + NEAR)
            self.edge("adjoint", back, to, *points)

    def spine_between(self, source, target):
        """The operations of the spine from one card to another."""
        columns = range(source.column, target.column + 1)
        return [c for c in self.step.cards if c.is_operation and c.row == 0 and c.column in columns]

    def join(self, source, target, way):
        """A branch that comes down to the spine, and the adjoint that goes out to it."""
        u, z = self.boxes[source.id], self.boxes[target.id]
        x = z.left + CORNER
        points = (u.right + 1, u.y), (x, u.y), (x, self.entry(target))
        self.edge("value", source, target, *points)
        if way.back:
            back, to = self.back_of(target, source)
            z, u = self.boxes[back.id], self.boxes[to.id]
            x = z.left + CORNER
            self.edge("adjoint", back, to, (x, z.bottom + 2), (x, u.y), (u.right + NEAR, u.y))

    def fork(self, source, target, way):
        """A value that goes up to a branch, and the adjoint that comes back from it."""
        u, z = self.boxes[source.id], self.boxes[target.id]
        x = u.right - CORNER
        self.edge("value", source, target, (x, u.top - 2), (x, z.y), (self.inlet(target), z.y))
        if way.back:
            back, to = self.back_of(target, source)
            z, u = self.boxes[back.id], self.boxes[to.id]
            x = u.right - CORNER
            self.edge("adjoint", back, to, (z.left - 2, z.y), (x, z.y), (x, u.bottom + NEAR))

    def margin(self, source, target, way):
        """The stubs of a value that goes on in the next system, and of its adjoint."""
        u, z = self.boxes[source.id], self.boxes[target.id]
        right, names = self.width - BORDER, ((source.name, source.id),)
        self.margin_stub("value", source, names, (u.right + 1, u.y), (right, u.y))
        self.margin_stub("value", target, names, (BORDER, z.y), (self.inlet(target), z.y))
        if way.back:
            back, to = self.back_of(target, source)
            z, u = self.boxes[back.id], self.boxes[to.id]
            comes = target if target.count == 1 else source  # a pile has no adjoint of its own
            names = ((comes.name, comes.id),)
            self.margin_stub("adjoint", back, names, (z.left - 2, z.y), (BORDER, z.y))
            self.margin_stub("adjoint", to, names, (right, u.y), (u.right + NEAR, u.y))
            if wide := self.columns.chips.get((back.id, to.id)):
                middle = round(u.right + NEAR + BEFORE + wide / 2, 1)
                self.chips.append(ScoreChip(back.id, to.id, middle, u.y))

    def margin_stub(self, kind, card, names, start, end):
        """A stub at the left or the right end of a system."""
        outer = min(start[0], end[0])
        left = outer == BORDER
        x = BORDER + LANE_GAP if left else max(start[0], end[0]) - LANE_GAP
        anchor = "start" if left else "end"
        self.stubs.append(ScoreStub(kind, card.id, names, (start, end), x, start[1] - 8, anchor))

    def draw_stubs(self):
        """The stubs above values, and those of contributions below adjoints."""
        for back, found in self.columns.stubs.items():
            for id, sources in found.items():
                self.draw_stub(self.columns.cards[id], back, list(dict.fromkeys(sources)))

    def draw_stub(self, card, back, sources):
        """A stub above a value, or below an adjoint, with the names of its sources."""
        box, found = self.boxes[card.id], [self.columns.cards[id] for id in sources]
        right = self.columns.stub_side(self.columns.value_of(card)) == "right"
        x = box.right - CORNER if right else box.left + CORNER
        top = box.bottom + 2 if back else self.entry(card) - STUB_LENGTH
        points = tuple((round(x, 1), round(y, 1)) for y in (top, top + STUB_LENGTH))
        variables = all(source.kind == "variable" for source in found)
        kind = "adjoint" if back else "parameter" if variables else "value"
        names = tuple((source.name, source.id) for source in found)
        y = round(top + (STUB_LENGTH - 2 if back else STUB_LENGTH / 2 + 1), 1)
        wide, side = self.columns.chip_room(card, sources) if back else 0, 1 if right else -1
        if wide:
            pair = card.id, self.columns.back_id(sources[0])
            middle = round(x + side * (STUB_BESIDE - 1 + (wide - CHIP_BESIDE) / 2), 1)
            self.chips.append(ScoreChip(*pair, middle, y - CHIP_UP))
        where = round(x + side * (STUB_BESIDE - 1 + wide), 1), y, "start" if right else "end"
        self.stubs.append(ScoreStub(kind, card.id, names, points, *where))

    def draw_below(self):
        """From gradients to updates, and from values to their adjoints."""
        for leaf, update in self.columns.updates.items():
            gradient = self.columns.backs.get(leaf)
            if gradient and gradient.kind == "gradient" and gradient.shape != PART:
                g, u = self.boxes[gradient.id], self.boxes[update.id]
                self.edge("update", gradient, update, (g.x, g.bottom + 2), (u.x, u.top - NEAR))
        for id, back in self.columns.backs.items():
            card = self.columns.cards[id]
            rows = [c.row for c in self.step.cards if c.is_operation and c.column == card.column]
            if id in self.boxes and card.is_operation and card.row == min(rows):
                v, b = self.boxes[id], self.boxes[back.id]
                self.edge("axis", card, back, (v.x, v.bottom + NEAR), (b.x, b.top - NEAR))


def taken_boxes(cards, boxes, stubs, lanes, name_width):
    """The Boxes of cards, of stubs with their names, and of words of lanes; no chip covers them."""
    placed = ((card, boxes[card.id]) for card in cards if card.id in boxes)
    taken = [box for pair in placed for box in solid_boxes(*pair)]
    return [*taken, *(stub_box(stub, name_width) for stub in stubs), *map(lane_word_box, lanes)]


def solid_boxes(card, box):
    """The Boxes of a card that stands in a Box, and of the number of values that it holds."""
    yield box
    if len(card.members) > 1:
        yield Box(box.right, box.top - COUNT / 2, 2 * COUNT, COUNT)


def stub_box(stub, name_width):
    """The Box of a stub with its names."""
    wide = name_width(stub.text)
    left = stub.start_x(wide)
    return box_of([*stub.points, (left, stub.y - 12), (left + wide, stub.y + 3)])


def lane_word_box(lane):
    """The Box of the word in the corner of a lane."""
    left, top = lane.box.left + 14, lane.box.top + 5
    return box_of([(left, top), (left + text_width(lane.word, SMALL, "bold"), top + 15)])


def lane_word(lane, cards):
    """What stands in the corner of a lane."""
    if lane != "parameters":
        return lane
    kinds = {card.kind == "variable" for card in cards}
    return "parameters and data" if len(kinds) == 2 else "parameters" if True in kinds else "data"
