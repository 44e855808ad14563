"""The columns of a score: how far each reaches from its axis, and in which system it stands."""

from collections import defaultdict
from typing import NamedTuple

from minigrad.draw.layout.systems import break_columns
from minigrad.draw.layout.wiring import ARC, JOIN, LINE, MARGIN, STUB, find_ways

SIDE, GAP, BLOCK_GAP = 22, 20, 14  # beside a system, between columns, between leaves of a column
LEAST = 480  # the width of a small score, in which the words of the lanes have room
SPREAD = 40  # at most so much more between two columns
ENTER, LEAVE = 66, 58  # where a system goes on from the one before, and goes on in the next
ENTER_BESIDE, LEAVE_BESIDE = 30, 26  # the same beside a name that needs more
WORDS = 100  # where the words in the corners of lanes have ended
CORNER = 12  # how far from the corner of a card a stub stands
STUB_BESIDE = 6  # from a stub to its name
CHIP_BESIDE, CHIP_ROOM = 4, 16  # from a chip to such a name; of its line, beside it
CHIP_MARGIN = 34  # beside the chip and the name of what goes on in the next system


class CardSize(NamedTuple):
    """The body of a card, and how far its sign reaches out to the left of it or above it."""

    width: float
    height: float
    left: float = 0
    above: float = 0


class ScoreColumns:
    """The columns of a score: how far they reach from their axes, their systems and their ways.

    `chips` are the widths of the amounts that pass from one adjoint to another, by their ids.
    """

    ways = ()  # until they are found, and of the joint columns of several lanes

    def __init__(self, step, measure, name_width, chips=None):
        self.step, self.name_width, self.chips = step, name_width, chips or {}
        self.cards = {card.id: card for card in step.cards}
        self.sizes = {card.id: measure(card) for card in step.cards}
        self.columns = sorted({card.column for card in step.cards})
        self.backs = {card.of: card for card in step.cards if card.kind in ("adjoint", "gradient")}
        self.updates = {card.of: card for card in step.cards if card.kind == "update" and card.of}
        self.starts = {card.id for card in step.cards if self.is_start(card)}
        self.names = self.names_between()
        self.leaves = defaultdict(list)  # column → the leaves over it
        for card in step.cards:
            if card.lane == "parameters":
                self.leaves[card.column].append(card)

    def is_start(self, card):
        """Whether a leaf begins the forward lane."""
        return card.lane == "forward" and not card.is_operation

    def settle(self, room):
        """Breaks the columns into systems; stubs at the breaks may make columns wider."""
        parts = [self.columns]
        for _ in self.columns:
            self.wire(parts)
            found = break_columns(self.columns, self.part_width, room)
            if found == parts:
                break
            parts = found
        self.wire(parts)

    def wire(self, parts):
        """Finds the ways of values for these systems, and how far columns then reach."""
        self.parts = parts
        self.system = {column: at for at, part in enumerate(parts) for column in part}
        self.ways = find_ways(self.step, self.system)
        self.stubs = {True: defaultdict(list), False: defaultdict(list)}  # back? → card → names
        for way in self.ways:
            if way.way == STUB:
                self.stubs[False][way.target].append(way.source)
                if way.back:
                    self.stubs[True][self.backs[way.target].id].append(way.source)
        self.reach = {column: self.reach_of(column) for column in self.columns}
        self.upright = {column: self.first_upright(column) for column in self.columns}

    def reach_of(self, column):
        """(left, right): how far the cards of a column reach from its axis."""
        left = right = self.stack_width(column) / 2
        for card in self.step.cards:
            if card.column == column and self.is_on_axis(card):
                size = self.sizes[card.id]
                before, after = self.stub_reach(card)
                left = max(left, size.width / 2 + size.left, before)
                right = max(right, size.width / 2, after)
        half = self.blocks_width(column) / 2
        return max(left, half), max(right, half)

    def is_on_axis(self, card):
        """Whether the axis of its column goes through a card: values, and their adjoints."""
        return card.is_operation or card.kind == "adjoint" or card.id in self.starts

    def stub_reach(self, card):
        """(left, right): how far the stubs of a card reach from its axis."""
        reach = [0, 0]
        for back in (False, True):
            if names := self.stubs[back].get(card.id):
                text = ", ".join(self.cards[id].name for id in names)
                side = self.stub_side(self.value_of(card)) == "right"
                half = self.sizes[card.id].width / 2 - CORNER
                wide = self.name_width(text) + self.chip_room(card, names)
                reach[side] = max(reach[side], half + STUB_BESIDE + wide)
        return reach

    def chip_room(self, card, sources):
        """The room for a chip between a stub and its name; 0 where it has none, or more names."""
        wide = self.chips.get((card.id, self.back_id(sources[0])), 0) if len(sources) == 1 else 0
        return wide + CHIP_BESIDE if wide else 0

    def back_id(self, id):
        """The id of the adjoint of a value; "" of one without."""
        return self.backs[id].id if id in self.backs else ""

    def value_of(self, card):
        """The id of the value whose card, or whose adjoint's card, it is."""
        return card.of or card.id

    def stub_side(self, id):
        """The side of a card on which its stubs stand: where no arc or branch arrives."""
        arrives = any(way.target == id and way.way in (ARC, JOIN) for way in self.ways)
        return "right" if arrives else "left"

    def block_width(self, leaf):
        """The width of a leaf with its gradient and its update below it."""
        below = [found.get(leaf.id) for found in (self.backs, self.updates)]
        return max(self.sizes[card.id].width for card in (leaf, *below) if card is not None)

    def blocks_width(self, column):
        """The width of the leaves over a column, side by side."""
        widths = [self.block_width(leaf) for leaf in self.leaves[column]]
        return sum(widths) + BLOCK_GAP * (len(widths) - 1) if widths else 0

    def stack(self, column):
        """The cards that stand in the update lane without a leaf above them."""
        above = {leaf.id for leaf in self.leaves[column]}
        cards = (card for card in self.step.cards if card.column == column)
        return [card for card in cards if card.lane == "update" and card.of not in above]

    def stack_width(self, column):
        """The width of what stands in a column beside its axis's cards and its leaves."""
        starts = [self.cards[id] for id in sorted(self.starts) if self.cards[id].column == column]
        cards = [*self.stack(column), *(self.backs[c.id] for c in starts if c.id in self.backs)]
        return max((self.sizes[card.id].width for card in cards), default=0)

    def part_width(self, part, first, last):
        """The width of a system of these columns."""
        inner = sum(sum(self.reach[column]) for column in part) + sum(map(self.gap, part[1:]))
        return self.enter(part, first) + inner + self.leave(part, last)

    def gap(self, column):
        """The room between a column and the one before it, also for chips on lines between."""
        lines = (way for way in self.ways if way.way == LINE and self.chip_on(way))
        return max([GAP, *(self.chip_gap(way) for way in lines if self.ends_in(way, column))])

    def chip_on(self, way):
        """The width of the chip on the adjoint that returns by a Way; 0 without one."""
        pair = self.back_id(way.target), self.back_id(way.source)
        return self.chips.get(pair, 0) if way.back else 0

    def ends_in(self, way, column):
        """Whether a Way leads into a column from the one before."""
        columns = [self.cards[id].column for id in (way.source, way.target)]
        return columns == [column - 1, column]

    def chip_gap(self, way):
        """The gap that leaves room for a chip between two adjoints side by side."""
        back, to = self.backs[way.target], self.backs[way.source]
        halves = [self.sizes[card.id].width / 2 for card in (back, to)]
        beside = self.reach[back.column][0] - halves[0] + self.reach[to.column][1] - halves[1]
        return self.chip_on(way) + CHIP_ROOM - beside

    def enter(self, part, first):
        """The room at the left of a system: no line runs through the words of the lanes."""
        room = SIDE if first else max(ENTER, self.names.get(part[0], 0) + ENTER_BESIDE)
        return max(room, WORDS - self.upright[part[0]])

    def first_upright(self, column):
        """How far from the left end of a column the first line runs down through the lanes."""
        axis, leaves = self.reach[column][0], self.leaves[column]
        start = axis - self.blocks_width(column) / 2
        lines = [start + self.block_width(leaf) / 2 for leaf in leaves[:1]]
        cards = (card for card in self.step.cards if card.column == column)
        lines += [axis for card in cards if card.is_operation or card.kind == "gradient"]
        return min(lines, default=WORDS)

    def leave(self, part, last):
        """The room at the right of a system."""
        name = self.names.get(part[-1] + 1, 0)
        chip = max((self.chip_on(way) for way in self.ways if way.way == MARGIN
                    and self.cards[way.source].column == part[-1]), default=0)  # fmt: skip
        room = chip + CHIP_MARGIN if chip else LEAVE_BESIDE
        return SIDE if last else max(LEAVE, name + room)

    def names_between(self):
        """{column: the width of the widest name that goes on into it from the column before}."""
        found = defaultdict(int)
        for edge in self.step.edges:
            source, target = self.cards[edge.source], self.cards[edge.target]
            if source.is_operation and source.column == target.column - 1:
                names = [card.name for card in (source, target) if card.count == 1]
                wide = max(map(self.name_width, names), default=0)
                found[target.column] = max(found[target.column], wide)
        return dict(found)

    def width(self):
        """The width of the widest system."""
        return max([LEAST, *(self.part_width(part, *self.ends(part)) for part in self.parts)])

    def ends(self, part):
        """Whether a system is the first, and whether it is the last."""
        return part == self.parts[0], part == self.parts[-1]

    def axes(self):
        """{column: x of its axis}: systems fill the width as far as columns may be spread."""
        found, width = {}, self.width()
        for part in self.parts:
            x = self.enter(part, self.ends(part)[0])
            free = width - self.part_width(part, *self.ends(part))
            more = min(free / max(1, len(part) - 1), SPREAD)
            for at, column in enumerate(part):
                left, right = self.reach[column]
                x += self.gap(column) + more if at else 0
                found[column] = round(x + left, 1)
                x += left + right
        return found

    def leaf_places(self, axes):
        """{id of a leaf over a column: x of its centre}."""
        found = {}
        for column, leaves in self.leaves.items():
            x = axes[column] - self.blocks_width(column) / 2
            for leaf in leaves:
                found[leaf.id] = round(x + self.block_width(leaf) / 2, 1)
                x += self.block_width(leaf) + BLOCK_GAP
        return found
