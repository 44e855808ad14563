"""The score upright, for a narrow page: its lanes are columns, and a step goes down.

Parameters stand at the left of their first user, with their gradients below them, adjoints at the
right of their values. Updates that are equal but for their variable are one line.
"""

from collections import defaultdict
from itertools import pairwise

from minigrad.draw.layout.boxes import Box, text_width
from minigrad.draw.layout.chips import ChipPlacer, ScoreChip
from minigrad.draw.layout.columns import CORNER
from minigrad.draw.layout.score import (
    NEAR,
    PAD,
    STACK_GAP,
    STUB_LENGTH,
    STUB_ROOM,
    TITLE,
    Score,
    ScoreCard,
    ScoreEdge,
    ScoreLane,
    ScoreStub,
    place_whole_sums,
    taken_boxes,
)
from minigrad.draw.look import SMALL

EDGE, LANE_GAP = 2, 3  # from the lanes to the border of the page, and between them
INSET = 4  # from the cards and their signs to the sides of their lane
ROW_GAP = 18  # between two operations, and between two adjoints
CHIP_ROW = 18  # more of it, for a chip on a line between
STUB_ROW, ASIDE = 40, 8  # the length of a stub with a chip, and from one to the next beside it
BESIDE, LOWER = 5, 12  # from a stub to its name; from its lower end to the middle of its chip
UPRIGHT = ("parameters", "forward", "backward")  # the lanes that stand side by side
WORDS = {"forward": "forward ↓", "backward": "backward ↑"}


def place_portrait(step, measure, name_width, formulas=None, chips=None):
    """The Score of a CardSet, upright; the other arguments are those of place_score."""

    def place(chips):
        return PortraitPage(step, measure, name_width, formulas or {}, chips).score()

    return place_whole_sums(place, chips or {})


def stack_operations(step):
    """The ids of operations from top to bottom: each below its operands, and a branch as one
    piece, between the spine and the operation that joins both."""
    inner = [card.id for card in step.cards if card.is_operation]
    before = {id: [] for id in inner}
    for edge in step.edges:
        if edge.source in before:
            before[edge.target].append((edge.source not in step.spine, edge.slot, edge.source))
    found, todo = {}, [(id, False) for id in reversed((*step.spine[-1:], *inner))]
    while todo:
        id, ready = todo.pop()
        if ready:
            found[id] = None
        elif id not in found:
            todo.append((id, True))
            todo += [(x, False) for *_, x in sorted(before[id], reverse=True)]
    return list(found)


def title_width(lane):
    """The width that the title of an upright lane needs."""
    return text_width(WORDS.get(lane, lane), SMALL, "bold") + CORNER


def merge_names(cards):
    """The first of some cards, with the names of all."""
    return cards[0]._replace(name=", ".join(card.name for card in cards))


class PortraitPage:
    """The places of all cards: operations one below the other."""

    def __init__(self, step, measure, name_width, formulas, chips):
        self.step, self.name_width, self.formulas = step, name_width, formulas
        self.chips, self.flows = chips, step.flows()
        self.cards = {card.id: card for card in step.cards}
        self.backs = {card.of: card for card in step.cards if card.kind in ("adjoint", "gradient")}
        joined = {id: merge_names(group) for id, group in self.group_cards().items()}
        self.sizes = {card.id: measure(joined.get(card.id, card)) for card in step.cards}
        self.order = [self.cards[id] for id in stack_operations(step)]
        self.leaves = self.leaves_by_user()
        self.stubs = self.find_stubs()
        self.back_stubs = self.find_back_stubs()
        self.boxes, self.sides = {}, self.lane_sides()

    # what stands beside what

    def leaves_by_user(self):
        """{operation: the leaves at its left}: each at the first operation that reads it."""
        place = {card.id: at for at, card in enumerate(self.order)}
        first, found = {}, defaultdict(list)
        for edge in self.step.edges:
            if not self.cards[edge.source].is_operation:
                at = place[edge.target]
                first[edge.source] = min(at, first.get(edge.source, at))
        for id, at in first.items():
            if self.cards[id].lane != "forward":
                found[self.order[at].id].append(self.cards[id])
        return found

    def find_stubs(self):
        """{operation: the values that no line brings to it}."""
        above = {b.id: a.id for a, b in pairwise(self.order)}
        found = defaultdict(list)
        for edge in self.step.edges:
            source = self.cards[edge.source]
            beside = source in self.leaves.get(edge.target, ())
            start = source.lane == "forward" and not source.is_operation
            near = above.get(edge.target) == edge.source or (start and edge.target not in above)
            if not beside and not near:
                found[edge.target].append(source)
        return found

    def find_back_stubs(self):
        """{adjoint: its stubs, each of the values to whose adjoints no line leads}. Where amounts
        are known, each value has a stub of its own, also a parameter beside."""
        found = defaultdict(dict)
        for edge in self.step.edges:
            back, source = self.backs.get(edge.target), self.cards[edge.source]
            if back and source.id in self.backs and (edge.target, source.id) in self.flows:
                is_beside = not source.is_operation and self.chip_wide(back, source)
                if is_beside or source in self.stubs.get(edge.target, ()):
                    found[back.id][source] = self.chip_wide(back, source)
        return {
            id: [[source] for source in wide] if any(wide.values()) else [list(wide)]
            for id, wide in found.items()
        }

    def chip_wide(self, back, source):
        """The width of the chip between the adjoint of a user and that of a value; 0 without."""
        return self.chips.get((back.id, self.backs[source.id].id), 0)

    def lines_above(self, card):
        """The operations whose adjoints a line leads up to from that of another one."""
        sources = (self.cards[edge.source] for edge in self.step.edges if edge.target == card.id)
        near = [one for one in sources if one not in self.stubs.get(card.id, ())]
        return [one for one in near if one.is_operation and one.id in self.backs
                and (card.id, one.id) in self.flows]  # fmt: skip

    def chip_place(self, back, at):
        """(the middle of the chip on a stub of an adjoint, from the left of the card; its width).

        It is as far to the left as the next stub, or a line above the card, asks for.
        """
        stubs, width = self.back_stubs[back.id], self.sizes[back.id].width
        wide, x = self.chip_wide(back, stubs[at][0]), CORNER + ASIDE * at
        end = width / 2 - NEAR if self.lines_above(self.cards[back.of]) else width - CORNER - 2
        end = x + BESIDE if at < len(stubs) - 1 else end
        return min(x, end - wide / 2), wide

    def lane_of(self, card):
        """The lane in which a card stands: a gradient stands below its parameter."""
        return "parameters" if card.kind == "gradient" else card.lane

    def lane_sides(self):
        """{upright lane: (x of its axis, its left, its right)}, side by side."""
        left, found = EDGE, {}
        for lane in UPRIGHT:
            inside = [card for card in self.step.cards if self.lane_of(card) == lane]
            before = max(map(self.reach_left, inside), default=0) + INSET
            behind = max((self.sizes[c.id].width / 2 for c in inside), default=0) + INSET
            width = max(before + behind, title_width(lane)) if inside else 0
            found[lane] = left + before + (width - before - behind) / 2, left, left + width
            left += width + (LANE_GAP if inside else 0)
        return found

    def reach_left(self, card):
        """How far a card, its sign, and the names and chips of its stubs reach to the left of its
        axis."""
        size, rows = self.sizes[card.id], [self.stubs.get(card.id, ())]
        reach = [size.left]
        if card.kind == "adjoint":
            rows = self.back_stubs.get(card.id, ())
            places = (self.chip_place(card, at) for at in range(len(rows)))
            reach += [wide / 2 - x for x, wide in places if wide]
        for at, sources in enumerate(rows):
            names = self.name_width(", ".join(source.name for source in sources))
            reach.append((names and names + BESIDE + 1 - CORNER) - ASIDE * at)
        return size.width / 2 + max(reach)

    # places

    def score(self):
        """The Score."""
        bottom = self.place_operations()
        lanes = [self.upright_lane(lane, bottom) for lane in UPRIGHT]
        lower, bottom = self.place_updates(bottom + LANE_GAP)
        lanes = tuple(lane for lane in (*lanes, lower) if lane is not None)
        edges, stubs = tuple(self.edges()), tuple(self.draw_stubs())
        cards = tuple(self.score_cards())
        said = f"{len(self.step.outline.values):,} nodes in {len(cards):,} shapes"
        columns, chips = tuple(range(len(self.order))), self.place_chips(edges, lanes, stubs)
        more = (columns,), said, (), tuple(chips)
        return Score(self.width(), round(bottom, 1), cards, edges, lanes, stubs, *more)

    def place_chips(self, edges, lanes, stubs):
        """The ScoreChips on stubs, and then those on lines."""
        found = list(self.stub_chips())
        taken = taken_boxes(self.step.cards, self.boxes, stubs, lanes, self.name_width)
        taken += (chip.box(self.chips) for chip in found)
        return [*found, *ChipPlacer(self.chips, edges, taken).place()]

    def stub_chips(self):
        """The ScoreChips on stubs."""
        for id, stubs in self.back_stubs.items():
            for at, (source, *_) in enumerate(stubs):
                x, wide = self.chip_place(self.cards[id], at)
                if wide:
                    box, pair = self.boxes[id], (id, self.backs[source.id].id)
                    y = box.top - NEAR - STUB_ROW * at - LOWER
                    yield ScoreChip(*pair, round(box.left + x, 1), round(y, 1))

    def width(self):
        """The width of the page."""
        return round(self.sides["backward"][-1] + EDGE, 1)

    def place_operations(self):
        """Places operations, leaves and adjoints, in each lane as high as its cards allow; the
        bottom of the lanes."""
        ends = dict.fromkeys(UPRIGHT, TITLE)
        for card in self.step.cards:
            if card.lane == "forward" and not card.is_operation:
                ends["forward"] = self.place_start(card, ends["forward"])
        for card in self.order:
            above = self.reach_up(card)
            middle = max(ends[lane] + above[lane] for lane in above)
            self.put(card, "forward", middle)
            ends["forward"] = self.boxes[card.id].bottom + ROW_GAP
            if card.id in self.backs:
                back = self.backs[card.id]
                self.put(back, "backward", middle)
                ends["backward"] = self.boxes[back.id].bottom + ROW_GAP
            if card.id in self.leaves:
                ends["parameters"] = self.place_leaves(card, middle) + STACK_GAP
                lowest = self.boxes[self.leaves[card.id][-1].id]
                ends["forward"] = max(ends["forward"], lowest.y + STACK_GAP)  # below its wire
        return max(self.boxes.values(), key=lambda box: box.bottom).bottom + PAD

    def place_start(self, card, top):
        """Places what begins the forward lane, and its gradient beside it; the lower end."""
        gradient = self.backs.get(card.id)
        pair = [found for found in (card, gradient) if found is not None]
        middle = top + max(self.sizes[each.id].height for each in pair) / 2
        self.put(card, "forward", middle)
        if gradient is not None:
            self.put(gradient, "parameters", middle)
        return max(self.boxes[each.id].bottom for each in pair) + ROW_GAP

    def reach_up(self, card):
        """{lane: how far a row reaches above its middle there}."""
        size, back = self.sizes[card.id], self.backs.get(card.id)
        stub = STUB_ROOM if card.id in self.stubs else 0
        found = {"forward": size.height / 2 + size.above + stub}
        if back:
            found["backward"] = self.sizes[back.id].height / 2 + self.room_above(card, back)
        if card.id in self.leaves:
            leaf = self.sizes[self.leaves[card.id][0].id]
            found["parameters"] = leaf.height / 2 + leaf.above
        return found

    def room_above(self, card, back):
        """The room for the stubs of an adjoint, and for the chip on its line."""
        chip = any(self.chip_wide(back, source) for source in self.lines_above(card))
        stubs = self.back_stubs.get(back.id, ())
        more = STUB_ROOM + self.stub_length(back, len(stubs) - 1) - STUB_LENGTH if stubs else 0
        return more + CHIP_ROW * chip

    def stub_length(self, card, at):
        """The length of a stub above a card; where one has a chip, each is above the one before."""
        stubs = self.back_stubs.get(card.id, ())
        has_chip = any(self.chip_wide(card, source) for source, *_ in stubs)
        return STUB_ROW * (at + 1) if has_chip else STUB_LENGTH

    def place_leaves(self, card, middle):
        """Places the leaves of an operation, the first beside it; their lowest end."""
        bottom = middle
        for at, leaf in enumerate(self.leaves[card.id]):
            gradient = self.backs.get(leaf.id)
            halves = [found for found in (leaf, gradient) if found is not None]
            width = max(self.sizes[half.id].width for half in halves)
            top = bottom + STACK_GAP if at else middle - self.sizes[leaf.id].height / 2
            for half in halves:
                height = self.sizes[half.id].height
                self.put(half, "parameters", top + height / 2, width)
                top += height
            bottom = top
        return bottom

    def put(self, card, lane, y, width=None):
        """Gives a card its box on the axis of a lane."""
        size, (x, *_) = self.sizes[card.id], self.sides[lane]
        box = Box(round(x, 1), round(y, 1), width or size.width, size.height)
        self.boxes[card.id] = box

    def upright_lane(self, lane, bottom):
        """A lane beside others; None where it is empty."""
        _, left, right = self.sides[lane]
        cards = [card for card in self.step.cards if self.lane_of(card) == lane]
        if not cards:
            return None
        stored = any(card.kind == "variable" for card in cards)
        word = WORDS.get(lane, "parameters" if stored else "data")
        box = Box(round((left + right) / 2, 1), bottom / 2, right - left, bottom)
        return ScoreLane(lane, word, 0, box)

    def place_updates(self, top):
        """(the lane of updates or None, the bottom of the page): as many cards in a row as fit,
        beside the title of the lane where this takes no more rows."""
        late, right = self.late_cards(), self.width() - EDGE - INSET
        if not late:
            return None, top - LANE_GAP
        beside, below = (EDGE + title_width("update"), top + PAD), (EDGE + INSET, top + TITLE)
        rows, more = (self.fill_rows(late, right - left) for left, _ in (beside, below))
        wide = max(self.sizes[card.id].width for card in late) > right - beside[0]
        (left, y), rows = (below, more) if wide or len(more) < len(rows) else (beside, rows)
        for row in rows:
            y = self.place_row(row, left, right, y) + STACK_GAP
        bottom = y - STACK_GAP + PAD
        box = Box(self.width() / 2, (top + bottom) / 2, self.width() - 2 * EDGE, bottom - top)
        return ScoreLane("update", "update", 0, box), bottom

    def place_row(self, cards, left, right, top):
        """Places cards side by side, with equal spaces; their bottom."""
        sizes = [self.sizes[card.id] for card in cards]
        space = (right - left - sum(size.width for size in sizes)) / (len(cards) + 1)
        top += max(size.above for size in sizes)
        for card, size in zip(cards, sizes):
            middle = round(left + space + size.width / 2, 1), round(top + size.height / 2, 1)
            self.boxes[card.id] = Box(*middle, size.width, size.height)
            left += space + size.width
        return top + max(size.height for size in sizes)

    def fill_rows(self, cards, room):
        """The cards in rows of which each fits into the room."""
        rows, wide = [], 0
        for card in cards:
            width = self.sizes[card.id].width + STACK_GAP
            if not rows or wide + width > room:
                rows, wide = [*rows, []], 0
            rows[-1].append(card)
            wide += width
        return rows

    # updates

    def late_cards(self):
        """The cards of the lowest lane; of equal updates only the first."""
        alike = self.equal_updates()
        late = [card for card in self.step.cards if card.lane == "update"]
        return [card for card in late if alike.get(card.id, card.id) == card.id]

    def equal_updates(self):
        """{id of an update: id of the first one that says the same of its variable}."""
        first, found = {}, {}
        for card in self.step.cards:
            if card.kind == "update":
                said = self.update_pattern(card)
                found[card.id] = first.setdefault(said, card.id)
        return found

    def update_pattern(self, card):
        """What an update says, with marks for its variable and its gradient."""
        formula = self.formulas.get(card.id)
        if formula is None or not card.of:
            return card.id
        back = self.backs.get(card.of)
        own = {self.step.outline.ids[back.head]: "gradient"} if back else {}
        own[card.of] = "variable"
        return tuple(own.get(term.id, term.text) for row in formula.rows for term in row)

    def group_cards(self):
        """{id of a card: the cards that are one with it, itself first}: equal updates."""
        alike, groups = self.equal_updates(), defaultdict(list)
        for card in self.step.cards:
            groups[alike.get(card.id, card.id)].append(card)
        return groups

    def score_cards(self):
        """The ScoreCards; the first of equal updates has the nodes of all, and all their names."""
        for id, group in self.group_cards().items():
            card, ids = merge_names(group), self.step.outline.ids
            members = tuple(ids[at] for each in group for at in each.members)
            place = 0, card.column, card.row, self.boxes[id]
            words = card.sign, card.name, card.shape, self.formulas.get(id), members
            yield ScoreCard(
                id,
                card.kind,
                self.lane_of(card),
                *place,
                *words,
                card.of,
                card.same_as,
                card.count,
            )

    # edges and stubs

    def edges(self):
        """The lines: down the operations, up their adjoints, and across from leaves."""
        for edge in self.step.edges:
            source, target = self.cards[edge.source], self.cards[edge.target]
            if source not in self.stubs.get(target.id, ()):
                draw = self.across if source.lane == "parameters" else self.down
                yield draw(source, target)
                backs = self.backs.get(target.id), self.backs.get(source.id)
                if source.is_operation and (target.id, source.id) in self.flows and all(backs):
                    yield self.up(*backs)
        for card in self.order:
            if card.id in self.backs:
                v, b = self.boxes[card.id], self.boxes[self.backs[card.id].id]
                points = (v.right + NEAR, v.y), (b.left - NEAR, b.y)
                yield ScoreEdge("axis", card.id, self.backs[card.id].id, points)

    def down(self, source, target):
        """A value down to the next operation."""
        u, z = self.boxes[source.id], self.boxes[target.id]
        end = z.top - self.sizes[target.id].above - NEAR
        return ScoreEdge("value", source.id, target.id, ((u.x, u.bottom + 2), (z.x, end)))

    def up(self, back, to):
        """An adjoint up to the one before."""
        z, u = self.boxes[back.id], self.boxes[to.id]
        return ScoreEdge("adjoint", back.id, to.id, ((z.x, z.top - 2), (u.x, u.bottom + NEAR)))

    def across(self, leaf, target):
        """A leaf to the operation at its right; those below the first one bend up to it."""
        u, z = self.boxes[leaf.id], self.boxes[target.id]
        at = self.leaves[target.id].index(leaf)
        left = z.left - self.sizes[target.id].left - NEAR
        kind = "parameter" if leaf.kind == "variable" else "value"
        if not at:
            return ScoreEdge(kind, leaf.id, target.id, ((u.right + 1, u.y), (left, u.y)))
        x, y = round(left - 3 - 4 * at, 1), round(z.y + min(4 * at, z.h / 2 - 2), 1)
        points = (u.right + 1, u.y), (x, u.y), (x, y), (left, y)
        return ScoreEdge(kind, leaf.id, target.id, points)

    def draw_stubs(self):
        """Stubs above operations for values, and above their adjoints for contributions."""
        for id, sources in self.stubs.items():
            yield self.stub_above(self.cards[id], "value", sources)
        for card in self.step.cards:
            for at, sources in enumerate(self.back_stubs.get(card.id, ())):
                yield self.stub_above(card, "adjoint", sources, at)

    def stub_above(self, card, kind, sources, at=0):
        """A stub above a card: an arrow down to a value, or up from an adjoint."""
        box, above = self.boxes[card.id], self.sizes[card.id].above
        x, low = round(box.left + CORNER + ASIDE * at, 1), box.top - above - NEAR
        high = low - self.stub_length(card, at)
        ends = (x, round(high, 1)), (x, round(low, 1))
        points = ends[::-1] if kind == "adjoint" else ends
        variables = kind == "value" and all(source.kind == "variable" for source in sources)
        names = tuple((source.name, source.id) for source in dict.fromkeys(sources))
        y = round(high + STUB_LENGTH / 2 + 4, 1)
        return ScoreStub(
            "parameter" if variables else kind, card.id, names, points, x - BESIDE, y, "end"
        )
